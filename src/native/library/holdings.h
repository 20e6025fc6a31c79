// What the running thread holds: mutexes, spin locks, read-write locks.
//
// Whether somebody else holds a lock is for the explorer to decide; whether this thread does is known to the thread alone, and
// nobody else may look without a race. Hence a list for each thread, usually of no more than a few.
#pragma once

#include "primitives.h"

namespace heddle::library {

struct Holding {
  const void* lock;
  int64_t count;  // how often it was taken; of a read-write lock: held for writing if negative
};

class Holdings {
 public:
  Holding* find(const void* lock) {
    for (uint64_t i = count_; i-- > 0;) {
      if (at(i)->lock == lock) return at(i);
    }
    return nullptr;
  }

  void add(const void* lock, int64_t count) {
    if (count_ >= kInline + room_) grow();
    *at(count_++) = {lock, count};
  }

  void remove(Holding* holding) {
    *holding = *at(--count_);
    if (count_ == kInline && room_ != 0) {
      heddle_free(more_, 0);
      room_ = 0;
    }
  }

 private:
  static constexpr uint64_t kInline = 4;

  Holding* at(uint64_t i) { return i < kInline ? &few_[i] : &more_[i - kInline]; }

  void grow() {
    const uint64_t room = room_ == 0 ? 16 : 2 * room_;
    auto* more = static_cast<Holding*>(heddle_allocate(room * sizeof(Holding), alignof(Holding), 0));
    for (uint64_t i = 0; i < room_; ++i) more[i] = more_[i];
    if (room_ != 0) heddle_free(more_, 0);
    more_ = more;
    room_ = room;
  }

  uint64_t count_;
  uint64_t room_;  // in more_
  Holding few_[kInline];
  Holding* more_;
};

extern __thread Holdings holdings;

}  // namespace heddle::library
