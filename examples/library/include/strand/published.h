// A value that is written once and then read by many.
#pragma once

#include <atomic>

namespace strand {

template <class T>
class Published {
 public:
  void publish(const T* value) { value_.store(value, std::memory_order_release); }
  const T* get() const { return value_.load(std::memory_order_acquire); }

 private:
  std::atomic<const T*> value_{nullptr};
};

}  // namespace strand
