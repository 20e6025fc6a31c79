// How many owners there are; the last one cleans up.
#pragma once

#include <atomic>

namespace strand {

class RefCount {
 public:
  void acquire() { count_.fetch_add(1, std::memory_order_relaxed); }
  // Is this the last one?
  bool release() {
    if (count_.fetch_sub(1, std::memory_order_release) != 1) return false;
    std::atomic_thread_fence(std::memory_order_acquire);
    return true;
  }

 private:
  std::atomic<int> count_{1};
};

}  // namespace strand
