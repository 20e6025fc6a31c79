// A lock for several readers or one writer.
#pragma once

#include <atomic>

namespace strand {

class RwLock {
 public:
  bool tryRead() {
    int readers = readers_.load(std::memory_order_relaxed);
    return readers >= 0 && readers_.compare_exchange_strong(readers, readers + 1, std::memory_order_acquire);
  }
  void endRead() { readers_.fetch_sub(1, std::memory_order_release); }
  bool tryWrite() {
    int nobody = 0;
    return readers_.compare_exchange_strong(nobody, -1, std::memory_order_acquire);
  }
  void endWrite() { readers_.store(0, std::memory_order_release); }

 private:
  std::atomic<int> readers_{0};
};

}  // namespace strand
