//! rc20: verified executions=12 blocked=0
//! rc20: verified executions=12 blocked=0 flags="-- -DTYPE=short"
//! rc20: verified executions=12 blocked=0 flags="-- -DTYPE=long"
// Coherence: one thread reads twice what two others write, 1 and 2. Two orders of the writes; the two reads are a
// non-decreasing pair in 0, first, second: 6 each.
#include <atomic>
#include <thread>

#ifndef TYPE
#define TYPE char
#endif

std::atomic<TYPE> x{0};

int main() {
  std::thread first([] { x.store(1, std::memory_order_relaxed); });
  std::thread second([] { x.store(2, std::memory_order_relaxed); });
  (void)x.load(std::memory_order_relaxed);
  (void)x.load(std::memory_order_relaxed);
  first.join();
  second.join();
}
