// A set of threads.
//
// Nearly every program has fewer threads than a word has bits, and then the set is that word. Its highest bit says that there are
// members beyond it; as long as there are none nobody looks at the other words, and they mean nothing.
//
//     first_   | 63: there are members in more_ | 62-0: threads 62 to 0 |
//     more_    | 63-0: threads 126 to 63 | 63-0: threads 190 to 127 | ...
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>

#include "program/operation.h"

namespace heddle {

// Of a program, with the one that it starts with.
inline constexpr unsigned kMostThreads = HEDDLE_MOST_THREADS;

class ThreadSet {
 public:
  class Iterator;

  ThreadSet() {}
  ThreadSet(const ThreadSet& other) { *this = other; }
  ThreadSet& operator=(const ThreadSet& other) {
    first_ = other.first_;
    if (other.hasMore()) [[unlikely]]
      more_ = other.more_;
    return *this;
  }

  bool empty() const { return first_ == 0; }
  bool contains(ThreadId thread) const {
    if (thread < kInFirst) return ((first_ >> thread) & 1) != 0;
    return hasMore() && (more_[wordOf(thread)] & bitOf(thread)) != 0;
  }
  ThreadId first() const {  // if it is not empty
    const auto bit = static_cast<unsigned>(std::countr_zero(first_));
    return static_cast<ThreadId>(bit < kInFirst ? bit : firstOfMore());
  }
  unsigned size() const {
    auto count = static_cast<unsigned>(std::popcount(first_ & ~kMore));
    if (!hasMore()) return count;
    for (const std::uint64_t word : more_) count += static_cast<unsigned>(std::popcount(word));
    return count;
  }
  // From the lowest number to the highest.
  Iterator begin() const;
  static std::default_sentinel_t end() { return {}; }

  void insert(ThreadId thread) {
    if (thread < kInFirst) {
      first_ |= std::uint64_t{1} << thread;
    } else {
      needMore();
      more_[wordOf(thread)] |= bitOf(thread);
    }
  }
  void erase(ThreadId thread) {
    if (thread < kInFirst) {
      first_ &= ~(std::uint64_t{1} << thread);
    } else if (hasMore()) {
      more_[wordOf(thread)] &= ~bitOf(thread);
      settleMore();
    }
  }
  void eraseFirst() {  // if it is not empty
    if (first_ != kMore) {
      first_ &= first_ - 1;
    } else {
      erase(static_cast<ThreadId>(firstOfMore()));
    }
  }
  void clear() { first_ = 0; }

  ThreadSet& operator|=(const ThreadSet& other) {
    if (other.hasMore()) [[unlikely]] {
      needMore();
      for (unsigned i = 0; i < kWords; ++i) more_[i] |= other.more_[i];
    }
    first_ |= other.first_;
    return *this;
  }
  ThreadSet& operator-=(const ThreadSet& other) {
    if (hasMore() && other.hasMore()) [[unlikely]] {
      for (unsigned i = 0; i < kWords; ++i) more_[i] &= ~other.more_[i];
      settleMore();
    }
    first_ &= ~other.first_ | kMore;
    return *this;
  }
  friend ThreadSet operator|(ThreadSet a, const ThreadSet& b) { return a |= b; }
  friend ThreadSet operator-(ThreadSet a, const ThreadSet& b) { return a -= b; }
  bool operator==(const ThreadSet& other) const { return first_ == other.first_ && (!hasMore() || more_ == other.more_); }

 private:
  static constexpr unsigned kInFirst = 63;
  static constexpr std::uint64_t kMore = std::uint64_t{1} << kInFirst;
  static constexpr unsigned kWords = (kMostThreads - kInFirst + 63) / 64;

  static unsigned wordOf(ThreadId thread) { return (thread - kInFirst) / 64; }
  static std::uint64_t bitOf(ThreadId thread) { return std::uint64_t{1} << (thread - kInFirst) % 64; }

  bool hasMore() const { return (first_ & kMore) != 0; }
  void needMore() {
    if (!hasMore()) more_.fill(0);
    first_ |= kMore;
  }
  void settleMore() {
    if (std::ranges::all_of(more_, [](std::uint64_t word) { return word == 0; })) first_ &= ~kMore;
  }
  unsigned firstOfMore() const {
    unsigned i = 0;
    while (more_[i] == 0) ++i;
    return kInFirst + i * 64 + static_cast<unsigned>(std::countr_zero(more_[i]));
  }

  std::uint64_t first_ = 0;
  std::array<std::uint64_t, kWords> more_;
};

class ThreadSet::Iterator {
 public:
  explicit Iterator(const ThreadSet& members) : rest_(members) {}
  ThreadId operator*() const { return rest_.first(); }
  Iterator& operator++() {
    rest_.eraseFirst();
    return *this;
  }
  bool operator==(std::default_sentinel_t) const { return rest_.empty(); }

 private:
  ThreadSet rest_;
};

inline ThreadSet::Iterator ThreadSet::begin() const { return Iterator(*this); }

}  // namespace heddle
