// A count of which each thread has a part.
#pragma once

#include <atomic>

namespace strand {

template <int kParts>
class Counter {
 public:
  void add(int part, int amount) { parts_[part].fetch_add(amount, std::memory_order_relaxed); }
  int sum() const {
    int sum = 0;
    for (const std::atomic<int>& part : parts_) sum += part.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  std::atomic<int> parts_[kParts] = {};
};

}  // namespace strand
