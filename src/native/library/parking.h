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

inline constexpr unsigned kThreads = 64;
extern uint32_t parked[kThreads];

inline uint64_t bitOf(uint32_t thread) { return uint64_t{1} << thread; }

// `at`: what the thread is said to wait for.
inline void park(const void* at) { heddle_take_part(&parked[heddle_self()], heddle_lock_hold, at, 0); }

// For waits that may also end in another way: the execution in which the wake does not come is no deadlock, only of no
// interest.
inline void parkOrNever() { heddle_take(&parked[heddle_self()], heddle_lock_hold, 0, 1); }

inline void wake(uint32_t thread) { __atomic_store_n(&parked[thread], 0, __ATOMIC_RELEASE); }

inline void wakeAll(uint64_t threads) {
  for (; threads != 0; threads &= threads - 1) wake(static_cast<uint32_t>(__builtin_ctzll(threads)));
}

}  // namespace heddle::library
