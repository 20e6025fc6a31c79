// A lock that is taken in the order in which threads ask for it.
#pragma once

#include <atomic>

namespace strand {

class TicketLock {
 public:
  void lock() {
    const unsigned ticket = next_.fetch_add(1, std::memory_order_relaxed);
    while (serving_.load(std::memory_order_acquire) != ticket) {
    }
  }
  void unlock() { serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

 private:
  std::atomic<unsigned> next_{0}, serving_{0};
};

}  // namespace strand
