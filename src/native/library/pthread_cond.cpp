// Condition variables of pthreads; std::condition_variable and C11's cnd_t are made of them.
//
// The object has one atomic word, the set of threads that wait. To wait is to join the set, to release the mutex, to
// park (parking.h), and to take the mutex again. To signal is to take one thread out of the set, any one of them, and
// wake it; to broadcast is to empty the set and wake them all. So a signal wakes exactly one of those that wait at
// that moment, a signal that finds nobody is lost, and a thread that has been woken does not touch the object any
// more, which may be destroyed by then.
//
// Spurious wake-ups are explored unless they are switched off: the thread takes itself out of the set. Not twice in a
// row, though: a program that goes back to waiting after one does, after a second one at once, nothing that it would
// not do after the second alone. (A program in which that is not so, one that counts its wake-ups say, is not explored
// completely.) Timeouts are the same with another result, and any number of them.

#include <errno.h>
#include <pthread.h>

#include "clock.h"
#include "failure.h"
#include "holdings.h"
#include "parking.h"

using heddle::library::Failure;
using heddle::library::bitOf;
using heddle::library::fail;

namespace {

constexpr unsigned kDestroyed = 0xdead;
__thread bool wokeSpuriously;

uint64_t* waiters(pthread_cond_t* condition) { return reinterpret_cast<uint64_t*>(condition); }

// The last word of glibc's layout, in which nothing is kept here but that the object is destroyed.
unsigned& mark(pthread_cond_t* condition) { return reinterpret_cast<unsigned*>(condition)[11]; }

void checkAlive(pthread_cond_t* condition) {
  if (mark(condition) == kDestroyed) fail(Failure::misuse, "use of a condition variable that has been destroyed");
}

// The result is that of unlocking: a mutex that the thread does not hold is an error, or an error code.
int enter(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  checkAlive(condition);
  if (heddle::library::holdings.find(mutex)) {
    __atomic_fetch_or(waiters(condition), bitOf(heddle_self()), __ATOMIC_RELEASE);
  }
  return pthread_mutex_unlock(mutex);
}

// Wakes up by itself. If it turns out to have been signalled, another execution shows that.
void leave(pthread_cond_t* condition) {
  const uint64_t self = bitOf(heddle_self());
  heddle_assume_hook((__atomic_fetch_and(waiters(condition), ~self, __ATOMIC_ACQUIRE) & self) != 0);
}

enum Wakening : uint64_t { kSignalled, kSpurious, kTimeout };

// Which of the ways to wake up it is: the first, spuriously if that is on, and then by timeout.
Wakening choose(bool timed) {
  const bool spurious = heddle_spurious_wakeups && !wokeSpuriously;
  const uint64_t ways = 1u + spurious + timed;
  const uint64_t way = ways == 1 ? 0 : heddle_choose_hook(ways);
  return static_cast<Wakening>(way == 1 && !spurious ? uint64_t{kTimeout} : way);
}

int timedWait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  if (const int result = enter(condition, mutex)) return result;
  const Wakening wakening = choose(true);
  wokeSpuriously = wakening == kSpurious;
  if (wakening == kSignalled) {
    heddle::library::parkOrNever();
  } else {
    leave(condition);
  }
  heddle::library::tellClock(*deadline, wakening == kTimeout);
  pthread_mutex_lock(mutex);
  return wakening == kTimeout ? ETIMEDOUT : 0;
}

}  // namespace

extern "C" {

int heddle_spurious_wakeups = 1;

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t*) {
  *condition = pthread_cond_t{};
  return 0;
}

int pthread_cond_destroy(pthread_cond_t* condition) {
  checkAlive(condition);
  if (*waiters(condition) != 0)
    fail(Failure::destroyInUse, "destruction of a condition variable that a thread waits at");
  *waiters(condition) = 0;
  mark(condition) = kDestroyed;
  return 0;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (const int result = enter(condition, mutex)) return result;
  const Wakening wakening = choose(false);
  wokeSpuriously = wakening == kSpurious;
  if (wakening == kSignalled) {
    heddle::library::park();
  } else {
    leave(condition);
  }
  pthread_mutex_lock(mutex);
  return 0;
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  return timedWait(condition, mutex, deadline);
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t, const timespec* deadline) {
  return timedWait(condition, mutex, deadline);
}

int pthread_cond_signal(pthread_cond_t* condition) {
  checkAlive(condition);
  uint64_t waiting = __atomic_load_n(waiters(condition), __ATOMIC_ACQUIRE);
  if (waiting == 0) return 0;
  uint64_t rest = waiting;
  const auto count = static_cast<uint64_t>(__builtin_popcountll(waiting));
  for (uint64_t skip = count == 1 ? 0 : heddle_choose_hook(count); skip != 0; --skip) rest &= rest - 1;
  const uint64_t chosen = rest & -rest;
  heddle_assume_hook(__atomic_compare_exchange_n(waiters(condition), &waiting, waiting & ~chosen, false,
                                                 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  heddle::library::wakeAll(chosen);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) {
  checkAlive(condition);
  uint64_t waiting = __atomic_load_n(waiters(condition), __ATOMIC_ACQUIRE);
  if (waiting == 0) return 0;
  const uint64_t all = waiting;
  heddle_assume_hook(
      __atomic_compare_exchange_n(waiters(condition), &waiting, 0, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  heddle::library::wakeAll(all);
  return 0;
}

int pthread_condattr_init(pthread_condattr_t* attributes) {
  *attributes = pthread_condattr_t{};
  return 0;
}
int pthread_condattr_destroy(pthread_condattr_t*) { return 0; }
int pthread_condattr_setclock(pthread_condattr_t*, clockid_t) { return 0; }
int pthread_condattr_setpshared(pthread_condattr_t*, int) { return 0; }

}  // extern "C"
