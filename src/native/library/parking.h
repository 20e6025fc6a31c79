// Parking: how a thread sleeps until one other thread wakes it.
//
// Each thread has a word of its own that is "locked" (1) as long as nobody has woken it. To park is to take that lock:
// the explorer adds the event when the word is free, so waiting gives no blocked execution, and a thread that is never
// woken is a deadlock. To wake is to store 0, which only a thread may do that knows, from an acquire read of the
// object that the sleeper has registered with, that the sleeper has registered and that nobody else wakes it. So every
// wake is read by exactly one park, and there is nothing to choose.
#pragma once

#include "primitives.h"

namespace heddle::library {

inline constexpr uint32_t kThreads = HEDDLE_MOST_THREADS;

// All 1 at the start.
struct Parked {
  uint32_t words[kThreads];
};
extern Parked parked;

// `at`: what the thread is said to wait for.
inline void park(const void* at) { heddle_take_part(&parked.words[heddle_self()], heddle_lock_hold, at, 0); }

// For waits that may also end in another way: the execution in which the wake does not come is no deadlock, only of no
// interest.
inline void parkOrNever() { heddle_take(&parked.words[heddle_self()], heddle_lock_hold, 0, 1); }

inline void wake(uint32_t thread) { __atomic_store_n(&parked.words[thread], 0, __ATOMIC_RELEASE); }

// Those that sleep somewhere. As long as a program has few threads the first word is all that is looked at.
struct ThreadSet {
  uint64_t words[kThreads / 64];

  static uint32_t used() { return heddle_has_many_threads() ? kThreads / 64 : 1; }

  void insert(uint32_t thread) { words[thread / 64] |= uint64_t{1} << thread % 64; }
  void erase(uint32_t thread) { words[thread / 64] &= ~(uint64_t{1} << thread % 64); }
  bool contains(uint32_t thread) const { return (words[thread / 64] >> thread % 64 & 1) != 0; }
  void erase(const ThreadSet& others) {
    for (uint32_t i = 0; i < used(); ++i) words[i] &= ~others.words[i];
  }
  uint32_t size() const {
    uint32_t members = 0;
    for (uint32_t i = 0; i < used(); ++i) members += static_cast<uint32_t>(__builtin_popcountll(words[i]));
    return members;
  }
  template <class F>
  void forEach(F visit) const {
    for (uint32_t i = 0; i < used(); ++i) {
      for (uint64_t rest = words[i]; rest != 0; rest &= rest - 1) visit(i * 64 + static_cast<uint32_t>(__builtin_ctzll(rest)));
    }
  }
  // The member that has so many before it.
  uint32_t at(uint64_t place) const {
    uint32_t found = 0;
    forEach([&](uint32_t thread) {
      if (place-- == 0) found = thread;
    });
    return found;
  }
};

inline void wakeAll(const ThreadSet& threads) {
  threads.forEach([](uint32_t thread) { wake(thread); });
}

}  // namespace heddle::library
