//! rc20: error=non-termination line=@spin text="spins on low, high for ever"
//! sc: error=non-termination line=@spin
//! rc20: verified executions=2 blocked=1 flags="-- -DEVEN"
// A reader that waits until two counters agree, which they never do unless EVEN.
#include <atomic>
#include <thread>

static std::atomic<int> low{0}, high{1};

int main() {
  std::thread writer([] {
    low.store(1, std::memory_order_relaxed);
#ifdef EVEN
    high.store(1, std::memory_order_release);
#else
    high.store(2, std::memory_order_release);
#endif
  });
#ifndef EVEN
  writer.join();
#endif
  int first, second;
  do {  // @spin
    first = low.load(std::memory_order_relaxed);
    second = high.load(std::memory_order_acquire);
    std::this_thread::yield();
  } while (first != second);
#ifdef EVEN
  writer.join();
#endif
}
