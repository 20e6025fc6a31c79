//! rc20: verified executions=2 blocked=0
// To sleep takes time of the thread's own, and nothing else.
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<int> flag;

int main() {
  using namespace std::chrono_literals;
  std::thread other([] {
    std::this_thread::sleep_for(1ms);
    usleep(10);
    const timespec second{1, 0};
    assert(nanosleep(&second, nullptr) == 0);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &second, nullptr) == 0);
    std::this_thread::yield();
    flag.store(1, std::memory_order_relaxed);
  });
  const auto before = std::chrono::steady_clock::now();
  std::this_thread::sleep_until(before + 2s);
  assert(sleep(1) == 0 && std::chrono::steady_clock::now() - before >= 3s);
  flag.load(std::memory_order_relaxed);
  other.join();
}
