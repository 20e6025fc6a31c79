// Read-write locks of pthreads; std::shared_mutex is made of them.
//
// The lock has four words that the explorer knows as locks (heddle_lock_read, heddle_lock_hold). A reader takes one of them, that of its
// thread; a writer takes all of them in turn. So readers do not meet, and in which order they come and go makes no
// difference: k readers and m writers that take the lock once have m! (m + 1)^k executions. (Threads whose numbers
// are the same modulo four share a word. They may still read at the same time, but in an order.) A writer that has
// taken some words only keeps readers out that it should not: the explorer passes executions over in which such a
// reader waits for ever.
//
// To try to take the lock is to look at all of it at once, so in a program that tries, there is one word for all, and
// the order of readers is explored: the functions named pthread_rwlock_*. The others are for programs that do not
// (native/compile/link.cpp). What the thread itself holds is in holdings.h; reading it again is no event.
//
// Who waits leaves no trace that others could see, with one exception: a lock that prefers writers
// (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) keeps readers out while a writer waits, and those that read it already as
// well. Such a lock has one word, and a gate before it, which a writer holds while it waits and every reader passes.
// The other kinds prefer readers, as in glibc.

#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "clock.h"
#include "failure.h"
#include "holdings.h"
#include "live.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::holdings;

namespace {

constexpr unsigned kDestroyed = 0xdead;
constexpr unsigned kParts = 4;

uint32_t* words(pthread_rwlock_t* lock) { return &lock->__data.__readers; }
static_assert(offsetof(pthread_rwlock_t, __data.__readers) == 0);
static_assert(offsetof(pthread_rwlock_t, __data.__flags) >= 4 * kParts);

// Whether the lock prefers writers.
bool checkAlive(const pthread_rwlock_t* lock) {
  const unsigned kind = lock->__data.__flags;
  if (kind == kDestroyed) fail(Failure::misuse, "use of a read-write lock that has been destroyed");
  return kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

uint32_t* gateOf(pthread_rwlock_t* lock) { return &lock->__data.__pad3; }
static_assert(offsetof(pthread_rwlock_t, __data.__pad3) >= 4 * kParts);

// That the lock has been initialised and not destroyed (live.h).
uint32_t& markOf(pthread_rwlock_t* lock) { return lock->__data.__pad4; }

// As a reader: nobody waits for writing.
void passGate(pthread_rwlock_t* lock) {
  heddle_take_part(gateOf(lock), heddle_lock_read, lock, 0);
  heddle_leave_reading(gateOf(lock), lock);
}

bool tryPassGate(pthread_rwlock_t* lock) {
  if (!heddle_try(gateOf(lock), heddle_lock_read)) return false;
  heddle_leave_reading(gateOf(lock), lock);
  return true;
}

// Waits.
template <unsigned parts>
int lockForReading(pthread_rwlock_t* lock) {
  const bool prefersWriters = checkAlive(lock);
  uint64_t* const holding = holdings.find(lock);
  if (holding && holdings.isForWriting(holding))
    fail(Failure::selfLock, "lock for reading of a read-write lock that the thread holds for writing");
  if (prefersWriters) passGate(lock);
  if (holding) {
    holdings.takeAgain(holding);
    return 0;
  }
  heddle_take_part(words(lock) + (prefersWriters ? 0 : heddle_self() % parts), heddle_lock_read, lock, 0);
  holdings.add(lock);
  return 0;
}

template <unsigned parts>
int lockForWriting(pthread_rwlock_t* lock) {
  const bool prefersWriters = checkAlive(lock);
  if (holdings.find(lock)) fail(Failure::selfLock, "lock for writing of a read-write lock that the thread already holds");
  if (prefersWriters) {
    heddle_take_part(gateOf(lock), heddle_lock_hold, lock, 0);
    heddle_take_part(words(lock), heddle_lock_hold, lock, 0);
    heddle_unlock_part(gateOf(lock), lock, 0);
  } else {
    for (unsigned part = 0; part < parts; ++part) heddle_take_part(words(lock) + part, heddle_lock_hold, lock, part);
  }
  holdings.add(lock, true);
  return 0;
}

template <unsigned mostParts>
int unlock(pthread_rwlock_t* lock) {
  const unsigned parts = checkAlive(lock) ? 1 : mostParts;
  uint64_t* holding = holdings.find(lock);
  if (!holding) fail(Failure::unlockNotHeld, "unlock of a read-write lock that the thread does not hold");
  const bool writer = holdings.isForWriting(holding);
  if (!holdings.giveBack(holding)) return 0;
  if (writer) {
    for (unsigned part = 0; part < parts; ++part) heddle_unlock_part(words(lock) + part, lock, part);
  } else {
    heddle_leave_reading(words(lock) + heddle_self() % parts, lock);
  }
  return 0;
}

int tryRead(pthread_rwlock_t* lock, int failure, int ownFailure) {
  const bool prefersWriters = checkAlive(lock);
  uint64_t* const holding = holdings.find(lock);
  if (holding && holdings.isForWriting(holding)) return ownFailure;
  if (prefersWriters && !tryPassGate(lock)) return failure;
  if (holding) {
    holdings.takeAgain(holding);
    return 0;
  }
  if (!heddle_try(words(lock), heddle_lock_read)) return failure;
  holdings.add(lock);
  return 0;
}

int tryWrite(pthread_rwlock_t* lock, int failure, int ownFailure) {
  checkAlive(lock);
  if (uint64_t* holding = holdings.find(lock)) return holdings.isForWriting(holding) ? ownFailure : failure;
  if (!heddle_trylock(words(lock))) return failure;
  holdings.add(lock, true);
  return 0;
}

// Trying for some time.
int timedRead(pthread_rwlock_t* lock, const timespec* deadline) {
  const int result = tryRead(lock, ETIMEDOUT, EDEADLK);
  return result == ETIMEDOUT ? heddle::library::timeOut(deadline) : result;
}

int timedWrite(pthread_rwlock_t* lock, const timespec* deadline) {
  const int result = tryWrite(lock, ETIMEDOUT, EDEADLK);
  return result == ETIMEDOUT ? heddle::library::timeOut(deadline) : result;
}

// Of the attributes only who is preferred counts.
int& attribute(pthread_rwlockattr_t* attributes) { return *reinterpret_cast<int*>(attributes); }

}  // namespace

extern "C" {

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  if (holdings.find(lock)) fail(Failure::misuse, "initialisation of a read-write lock that the thread holds");
  heddle::library::checkNotLive(markOf(lock), "initialisation of a read-write lock that has not been destroyed");
  *lock = pthread_rwlock_t{};
  if (attributes) lock->__data.__flags = static_cast<unsigned>(attribute(const_cast<pthread_rwlockattr_t*>(attributes)));
  markOf(lock) = heddle::library::kLive;
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  checkAlive(lock);
  for (unsigned part = 0; part < kParts; ++part) {
    if (words(lock)[part] != 0) fail(Failure::destroyInUse, "destruction of a read-write lock that is held");
    words(lock)[part] = 0;
  }
  lock->__data.__flags = kDestroyed;
  markOf(lock) = 0;
  return 0;
}

int heddle_rwlock_rdlock(pthread_rwlock_t* lock) { return lockForReading<kParts>(lock); }
int heddle_rwlock_wrlock(pthread_rwlock_t* lock) { return lockForWriting<kParts>(lock); }
int heddle_rwlock_unlock(pthread_rwlock_t* lock) { return unlock<kParts>(lock); }

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) { return lockForReading<1>(lock); }
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) { return lockForWriting<1>(lock); }
int pthread_rwlock_unlock(pthread_rwlock_t* lock) { return unlock<1>(lock); }

int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) { return tryRead(lock, EBUSY, EBUSY); }
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) { return tryWrite(lock, EBUSY, EBUSY); }
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* deadline) { return timedRead(lock, deadline); }
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* deadline) { return timedWrite(lock, deadline); }

int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t, const timespec* deadline) {
  return timedRead(lock, deadline);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t, const timespec* deadline) {
  return timedWrite(lock, deadline);
}

int pthread_rwlockattr_init(pthread_rwlockattr_t* attributes) {
  *attributes = pthread_rwlockattr_t{};
  return 0;
}
int pthread_rwlockattr_destroy(pthread_rwlockattr_t*) { return 0; }
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t*, int) { return 0; }

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t* attributes, int kind) {
  if (kind < 0 || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) return EINVAL;
  attribute(attributes) = kind;
  return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t* attributes, int* kind) {
  *kind = attribute(const_cast<pthread_rwlockattr_t*>(attributes));
  return 0;
}

}  // extern "C"
