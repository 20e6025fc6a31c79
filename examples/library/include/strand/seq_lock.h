// A pair of numbers that one thread writes, and others read without a lock.
#pragma once

#include <atomic>

namespace strand {

class SeqLock {
 public:
  void write(int first, int second) {
    const unsigned before = sequence_.load(std::memory_order_relaxed);
    sequence_.store(before + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    first_.store(first, std::memory_order_relaxed);
    second_.store(second, std::memory_order_relaxed);
    sequence_.store(before + 2, std::memory_order_release);
  }
  // False if somebody wrote meanwhile.
  bool tryRead(int& first, int& second) const {
    const unsigned before = sequence_.load(std::memory_order_acquire);
    first = first_.load(std::memory_order_relaxed);
    second = second_.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    return before % 2 == 0 && sequence_.load(std::memory_order_relaxed) == before;
  }

 private:
  std::atomic<unsigned> sequence_{0};
  std::atomic<int> first_{0}, second_{0};
};

}  // namespace strand
