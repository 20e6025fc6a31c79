// Something that happens once, and that threads can ask for.
#pragma once

#include <atomic>

namespace strand {

class Event {
 public:
  void set() { set_.store(true, std::memory_order_release); }
  bool isSet() const { return set_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> set_{false};
};

}  // namespace strand
