//! rc20: verified executions=1 blocked=0
// Clocks move forward, in a thread and along create and join; a loop up to a deadline ends; sleeping is nothing.
#include <cassert>
#include <chrono>
#include <ctime>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

int main() {
  const auto start = Clock::now();
  assert(Clock::now() > start);
  Clock::time_point inside;
  std::thread([&] { inside = Clock::now(); }).join();
  assert(inside > start && Clock::now() > inside);
  int rounds = 0;
  for (const auto deadline = Clock::now() + 1s; Clock::now() < deadline;) ++rounds;
  assert(rounds < 100);
  std::this_thread::sleep_for(1h);
  std::this_thread::sleep_until(Clock::now() + 1h);
  usleep(1000);
  sleep(1);
  timespec time;
  assert(clock_gettime(CLOCK_MONOTONIC, &time) == 0 && time.tv_sec > 0 && time.tv_nsec < 1000000000);
  timeval old;
  assert(gettimeofday(&old, nullptr) == 0 && old.tv_sec >= time.tv_sec);
  assert(std::time(nullptr) >= old.tv_sec && std::chrono::system_clock::now().time_since_epoch() > 0s);
  assert(std::clock() > 0);
}
