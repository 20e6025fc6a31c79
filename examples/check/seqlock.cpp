//! rc20: verified executions=11 blocked=0
//! sc: verified executions=11 blocked=0
//! rc20: error=assertion-failure line=@consistent flags="--suggest -- -DBUG"
//! why: It would be forbidden with - acquire instead of relaxed for the load at seqlock.cpp:37 (axiom coherence of rc20)
//! why: Suggestion: acquire instead of relaxed for the load at seqlock.cpp:37. With this change the program has no error
//! sc: verified executions=11 blocked=0 flags="-- -DBUG"
//
// A sequence lock, with the orders of H.-J. Boehm, "Can seqlocks get along with programming language memory models?"
// (MSPC 2012). A writer makes the sequence number odd while it writes; a reader takes a copy and keeps it if the number
// was even and has not changed. What is read may be overwritten at any time, so the words are relaxed atomics.
//
// BUG: the reader has no acquire fence before its second look at the number. The loads of the words may then take
// effect after it: the number is unchanged, and the copy is of two versions. Nothing of this happens under sc.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

template <std::size_t Words>
class SeqLock {
 public:
  using Value = std::array<int, Words>;

  // One writer at a time.
  void write(const Value& value) {
    const unsigned before = sequence_.load(std::memory_order_relaxed);
    sequence_.store(before + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (std::size_t i = 0; i < Words; ++i) words_[i].store(value[i], std::memory_order_relaxed);
    sequence_.store(before + 2, std::memory_order_release);
  }

  bool tryRead(Value& value) const {
    const unsigned before = sequence_.load(std::memory_order_acquire);
    if (before % 2 == 1) return false;
    for (std::size_t i = 0; i < Words; ++i) value[i] = words_[i].load(std::memory_order_relaxed);
#ifndef BUG
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
    return sequence_.load(std::memory_order_relaxed) == before;
  }

 private:
  std::atomic<unsigned> sequence_{0};
  std::array<std::atomic<int>, Words> words_{};
};

SeqLock<2> position;

int main() {
  std::thread writer([] { position.write({3, 4}); });
  std::thread reader([] {
    SeqLock<2>::Value copy;
    if (!position.tryRead(copy)) return;
    const bool consistent = (copy[0] == 0 && copy[1] == 0) || (copy[0] == 3 && copy[1] == 4);
    assert(consistent);  // @consistent
  });
  writer.join();
  reader.join();
}
