// A queue for one thread that pushes and one that pops.
#pragma once

#include <atomic>
#include <optional>

template <class T, unsigned Capacity>
class Queue {
 public:
  bool push(T value) {
    const unsigned tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == Capacity) return false;
    slots_[tail % Capacity] = value;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  std::optional<T> pop() {
    const unsigned head = head_.load(std::memory_order_relaxed);
    if (tail_.load(std::memory_order_acquire) == head) return std::nullopt;
    const T value = slots_[head % Capacity];
    head_.store(head + 1, std::memory_order_release);
    return value;
  }

 private:
  std::atomic<unsigned> head_{0}, tail_{0};
  T slots_[Capacity];
};
