//! rc20: verified executions=1
//! rc20: verified executions=1 flags="-- -DGROWS"
//! rc20: error=non-termination line=@error flags="-- -DNOBODY"
// std::this_thread::sleep_for in a loop that waits.
#include <atomic>
#include <chrono>
#include <thread>

static std::atomic<bool> ready;

int main() {
  std::thread thread([] {
    auto pause = std::chrono::microseconds(5);
    while (!ready.load(std::memory_order_acquire)) {  // @error
      std::this_thread::sleep_for(pause);
#ifdef GROWS
      pause *= 2;
#endif
    }
  });
#ifndef NOBODY
  ready.store(true, std::memory_order_release);
#endif
  thread.join();
  return 0;
}
