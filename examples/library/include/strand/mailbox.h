// A place for one letter.
#pragma once

#include <atomic>

namespace strand {

class Mailbox {
 public:
  bool put(int letter) {
    int empty = kEmpty;
    if (!state_.compare_exchange_strong(empty, kBusy, std::memory_order_acquire)) return false;
    letter_ = letter;
    state_.store(kFull, std::memory_order_release);
    return true;
  }
  bool take(int& letter) {
    int full = kFull;
    if (!state_.compare_exchange_strong(full, kBusy, std::memory_order_acquire)) return false;
    letter = letter_;
    state_.store(kEmpty, std::memory_order_release);
    return true;
  }

 private:
  enum { kEmpty, kBusy, kFull };
  std::atomic<int> state_{kEmpty};
  int letter_ = 0;
};

}  // namespace strand
