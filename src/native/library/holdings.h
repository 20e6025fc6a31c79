// What the running thread holds: mutexes, spin locks, read-write locks.
//
// Whether somebody else holds a lock is for the explorer to decide; whether this thread does is known to the thread
// alone, and nobody else may look without a race. Hence a list for each thread. It usually has one entry at most, and
// then taking and giving back a lock reads and writes one word, which is not in plain memory but goes with the stack. There
// is room for a few more, so that a thread that takes another lock and gives it back is as it was before:
//
//     | 63: there are more (first entry only) | 62: for writing | 61-48: how often, less one | 47-0: address |
#pragma once

#include "primitives.h"

namespace heddle::library {

class Holdings {
 public:
  // The entry of a lock, or null.
  uint64_t* find(const void* lock) {
    uint64_t* const entry = heddle_private();
    const uint64_t first = *entry;
    if (first == 0) return nullptr;
    if ((first & kAddress) == addressOf(lock)) return entry;
    if ((first & kMore) == 0) return nullptr;
    for (uint64_t i = count_; i-- > 0;) {
      if ((more_[i] & kAddress) == addressOf(lock)) return &more_[i];
    }
    return nullptr;
  }

  void add(const void* lock, bool writing = false) {
    const uint64_t entry = addressOf(lock) | (writing ? kWriting : 0);
    uint64_t* const first = heddle_private();
    if (*first == 0) {
      *first = entry;
      return;
    }
    *first |= kMore;
    if (count_ == room_) grow();
    more_[count_++] = entry;
  }

  static bool isForWriting(const uint64_t* entry) { return (*entry & kWriting) != 0; }
  static void takeAgain(uint64_t* entry) { *entry += kOnce; }

  // Whether the lock is not held any more.
  bool giveBack(uint64_t* entry) {
    const uint64_t held = *entry;
    if ((held & kTimes) != 0) {
      *entry = held - kOnce;
      return false;
    }
    uint64_t* const first = heddle_private();
    if (entry == first && (held & kMore) == 0) {
      *first = 0;
    } else {
      const uint64_t last = more_[--count_];
      const uint64_t more = count_ != 0 ? kMore : 0;
      *entry = entry == first ? last | more : last;
      if (count_ == 0) forgetMore();
    }
    return true;
  }

 private:
  static constexpr uint64_t kAddress = (uint64_t{1} << 48) - 1;
  static constexpr uint64_t kOnce = uint64_t{1} << 48;
  static constexpr uint64_t kTimes = ((uint64_t{1} << 14) - 1) << 48;
  static constexpr uint64_t kWriting = uint64_t{1} << 62;
  static constexpr uint64_t kMore = uint64_t{1} << 63;
  static constexpr uint64_t kFew = 4;

  static uint64_t addressOf(const void* lock) { return reinterpret_cast<uint64_t>(lock); }

  void grow() {
    if (room_ == 0) {
      more_ = few_;
      room_ = kFew;
      return;
    }
    const uint64_t room = 2 * room_;
    auto* more = static_cast<uint64_t*>(heddle_allocate(room * sizeof(uint64_t), alignof(uint64_t), heddle_heap_malloc));
    for (uint64_t i = 0; i < room_; ++i) more[i] = more_[i];
    if (more_ != few_) heddle_free(more_, heddle_heap_malloc);
    more_ = more;
    room_ = room;
  }

  void forgetMore() {
    *heddle_private() &= ~kMore;
    if (more_ != few_) heddle_free(more_, heddle_heap_malloc);
    more_ = nullptr;
    room_ = 0;
  }

  uint64_t* more_;  // all but the first: `count_` of them, and room for `room_`
  uint64_t count_, room_;
  uint64_t few_[kFew];
};

extern __thread Holdings holdings;

}  // namespace heddle::library
