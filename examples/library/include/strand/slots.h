// Eight places that threads take and give back.
#pragma once

#include <atomic>

namespace strand {

class Slots {
 public:
  // -1: none is free.
  int take() {
    unsigned used = used_.load(std::memory_order_relaxed);
    for (int i = 0; i < kCount; ++i) {
      if ((used >> i & 1u) != 0) continue;
      if ((used_.fetch_or(1u << i, std::memory_order_acquire) >> i & 1u) == 0) return i;
    }
    return -1;
  }
  void give(int slot) { used_.fetch_and(~(1u << slot), std::memory_order_release); }

 private:
  static constexpr int kCount = 8;
  std::atomic<unsigned> used_{0};
};

}  // namespace strand
