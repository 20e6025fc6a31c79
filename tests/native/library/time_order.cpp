//! rc20,sc,tso: verified executions=12 blocked=0
//! rc20: verified executions=12 blocked=0 flags="--equivalence rf"
//! rc20: verified executions=12 blocked=0 flags="-j 2"
// No clock shows less than another has shown before, in happens-before: along a mutex, a flag, and a join. Time passes for
// who sleeps, and for those who hear of it.
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

std::mutex mutex;
Clock::time_point last;
std::atomic<bool> slept;
Clock::time_point before;

void look() {
  for (int i = 0; i < 2; ++i) {
    const std::lock_guard<std::mutex> guard(mutex);
    const auto now = Clock::now();
    assert(now >= last);
    last = now;
  }
}

int main() {
  const auto start = Clock::now();
  std::thread first(look), second(look);
  first.join();
  second.join();
  assert(Clock::now() >= last && last > start);

  std::thread sleeper([] {
    before = Clock::now();
    std::this_thread::sleep_for(10s);
    slept.store(true, std::memory_order_release);
  });
  if (slept.load(std::memory_order_acquire)) assert(Clock::now() - before >= 10s);
  sleeper.join();
  assert(Clock::now() - before >= 10s);

  std::thread([] { std::this_thread::sleep_for(1h); }).join();
  assert(Clock::now() - before >= 1h);
}
