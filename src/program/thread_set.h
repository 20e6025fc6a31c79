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
  // From the lowest number to the highest. The set must stay as it is meanwhile.
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
  friend ThreadSet operator|(const ThreadSet& a, const ThreadSet& b) {
    ThreadSet result = a;
    result |= b;
    return result;
  }
  friend ThreadSet operator-(const ThreadSet& a, const ThreadSet& b) {
    ThreadSet result = a;
    result -= b;
    return result;
  }
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
  // The first member beyond the first word, from `thread` on; kMostThreads if there is none. Not inlined: hardly anybody needs it.
  [[gnu::noinline, gnu::cold]] unsigned nextOfMore(unsigned thread) const {
    while (hasMore() && thread < kMostThreads) {
      const std::uint64_t rest = more_[(thread - kInFirst) / 64] >> (thread - kInFirst) % 64;
      if (rest != 0) return thread + static_cast<unsigned>(std::countr_zero(rest));
      thread += 64 - (thread - kInFirst) % 64;
    }
    return kMostThreads;
  }
  unsigned firstOfMore() const { return nextOfMore(kInFirst); }

  std::uint64_t first_ = 0;
  std::array<std::uint64_t, kWords> more_;
};

// Keeps what is left of the first word; the others are looked at in the set itself, which is there as long as somebody goes
// through it. All of it is inlined, so that it is in registers.
class ThreadSet::Iterator {
 public:
  explicit Iterator(const ThreadSet& members) : members_(&members), rest_(members.first_) {}
  [[gnu::always_inline]] ThreadId operator*() const {
    const auto bit = static_cast<unsigned>(std::countr_zero(rest_));
    return static_cast<ThreadId>(bit < kInFirst ? bit : members_->nextOfMore(beyond_));
  }
  [[gnu::always_inline]] Iterator& operator++() {
    if (rest_ != kMore) {
      rest_ &= rest_ - 1;
    } else {
      beyond_ = members_->nextOfMore(beyond_) + 1;
    }
    if (rest_ == kMore && members_->nextOfMore(beyond_) == kMostThreads) [[unlikely]]
      rest_ = 0;
    return *this;
  }
  bool operator==(std::default_sentinel_t) const { return rest_ == 0; }

 private:
  const ThreadSet* members_;
  std::uint64_t rest_;
  unsigned beyond_ = kInFirst;  // of the members beyond the first word only those from here on are left
};

inline ThreadSet::Iterator ThreadSet::begin() const { return Iterator(*this); }

}  // namespace heddle
