// A thread waits until others have counted down to zero.
#pragma once

#include <atomic>

namespace strand {

class CountDown {
 public:
  explicit CountDown(int count) : count_(count) {}
  void arrive() { count_.fetch_sub(1, std::memory_order_release); }
  void wait() const {
    while (count_.load(std::memory_order_acquire) != 0) {
    }
  }

 private:
  std::atomic<int> count_;
};

}  // namespace strand
