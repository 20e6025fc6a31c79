// Condition variables of pthreads; std::condition_variable and C11's cnd_t are made of them.
//
// The object has one atomic word, the set of threads that wait, which the explorer knows as a lock (kJoin and so on).
// To wait is to join the set, to release the mutex, to park (parking.h), and to take the mutex again. To signal is to
// take one thread out of the set, any one of them, and wake it; to broadcast is to empty the set and wake them all.
// So a signal wakes exactly one of those that wait at that moment, a signal that finds nobody is lost, and a thread
// that has been woken does not touch the object any more, which may be destroyed by then. Who contends for the object
// waits its turn: that gives no blocked execution.
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
using heddle::library::fail;
using heddle::library::kThreads;

namespace {

constexpr unsigned kDestroyed = 0xdead;
__thread bool wokeSpuriously;

uint64_t* waiters(pthread_cond_t* condition) { return reinterpret_cast<uint64_t*>(condition); }

// The last word of glibc's layout, in which nothing is kept here but that the object is destroyed.
unsigned& mark(pthread_cond_t* condition) { return reinterpret_cast<unsigned*>(condition)[11]; }

void checkAlive(pthread_cond_t* condition) {
  if (mark(condition) == kDestroyed) fail(Failure::misuse, "use of a condition variable that has been destroyed");
}

// In the set; bit 0 of the word is the explorer's.
uint64_t self() {
  const uint32_t thread = heddle_self();
  if (thread + 1 >= kThreads) fail(Failure::unsupported, "more than 63 threads and condition variables");
  return uint64_t{2} << thread;
}

void wakeThose(uint64_t members) { heddle::library::wakeAll(members >> 1); }

// The result is that of unlocking: a mutex that the thread does not hold is an error, or an error code.
int enter(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  checkAlive(condition);
  if (heddle::library::holdings.find(mutex)) heddle_take(waiters(condition), kJoin, self(), 0);
  return pthread_mutex_unlock(mutex);
}

// Wakes up by itself, unless it has been signalled: another execution shows that.
void leave(pthread_cond_t* condition) { heddle_take(waiters(condition), kLeave, self(), 1); }

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
  const uint64_t waiting = heddle_take(waiters(condition), kWakeOne, 0, 0);
  if (waiting == 0) return 0;
  uint64_t rest = waiting;
  const auto count = static_cast<uint64_t>(__builtin_popcountll(waiting));
  if (count > 1) {
    for (uint64_t skip = heddle_choose_hook(count); skip != 0; --skip) rest &= rest - 1;
    // An update, so that whoever takes the next one still acquires what those that wait have released.
    __atomic_fetch_and(waiters(condition), ~((rest & -rest) | 1), __ATOMIC_RELAXED);
  }
  wakeThose(rest & -rest);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) {
  checkAlive(condition);
  wakeThose(heddle_take(waiters(condition), kWakeAll, 0, 0));
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
