// A queue of numbers for one thread that pushes and one that pops.
#pragma once

#include <atomic>

namespace strand {

template <unsigned kSize>
class SpscRing {
 public:
  bool push(int value) {
    const unsigned tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kSize) return false;
    slots_[tail % kSize] = value;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool pop(int& value) {
    const unsigned head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    value = slots_[head % kSize];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  std::atomic<unsigned> head_{0}, tail_{0};
  int slots_[kSize] = {};
};

}  // namespace strand
