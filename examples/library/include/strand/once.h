// Something that is done once, by whoever comes first; the others wait until it is done.
#pragma once

#include <atomic>

namespace strand {

class Once {
 public:
  template <class Function>
  void call(Function function) {
    int state = kNew;
    if (state_.compare_exchange_strong(state, kRunning, std::memory_order_acquire)) {
      function();
      state_.store(kDone, std::memory_order_release);
      return;
    }
    while (state_.load(std::memory_order_acquire) != kDone) {
    }
  }

 private:
  enum { kNew, kRunning, kDone };
  std::atomic<int> state_{kNew};
};

}  // namespace strand
