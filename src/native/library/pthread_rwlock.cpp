// Read-write locks of pthreads; std::shared_mutex is made of them.
//
// One atomic word in the lock itself: 0 free, n > 0 readers, -1 a writer. A writer takes it by one compare-exchange
// from 0, a reader by one from 0 or, if there are other readers, by a second one from the number that the first has
// seen: another number than that has its own execution, in which the first one saw it. Failed compare-exchanges write
// nothing, so a thread that waits leaves no trace that others could see. What the thread itself holds is in
// holdings.h; reading it again is no event.

#include <errno.h>
#include <pthread.h>

#include "failure.h"
#include "holdings.h"

using heddle::library::Failure;
using heddle::library::fail;
using heddle::library::holdings;

namespace {

constexpr int kWriter = -1;
constexpr unsigned kDestroyed = 0xdead;

int* state(pthread_rwlock_t* lock) { return reinterpret_cast<int*>(&lock->__data.__readers); }

void checkAlive(const pthread_rwlock_t* lock) {
  if (lock->__data.__flags == kDestroyed) fail(Failure::misuse, "use of a read-write lock that has been destroyed");
}

bool exchange(pthread_rwlock_t* lock, int& expected, int desired) {
  return __atomic_compare_exchange_n(state(lock), &expected, desired, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

// Takes the lock for reading if nobody writes; otherwise false.
bool takeForReading(pthread_rwlock_t* lock) {
  int readers = 0;
  if (!exchange(lock, readers, 1)) {
    if (readers == kWriter) return false;
    int expected = readers;
    heddle_assume_hook(exchange(lock, expected, readers + 1));
  }
  holdings.add(lock);
  return true;
}

bool takeForWriting(pthread_rwlock_t* lock) {
  int nobody = 0;
  if (!exchange(lock, nobody, kWriter)) return false;
  holdings.add(lock, true);
  return true;
}

int tryRead(pthread_rwlock_t* lock, int failure, int ownFailure) {
  checkAlive(lock);
  if (uint64_t* holding = holdings.find(lock)) {
    if (holdings.isForWriting(holding)) return ownFailure;
    holdings.takeAgain(holding);
    return 0;
  }
  return takeForReading(lock) ? 0 : failure;
}

int tryWrite(pthread_rwlock_t* lock, int failure, int ownFailure) {
  checkAlive(lock);
  if (uint64_t* holding = holdings.find(lock)) return holdings.isForWriting(holding) ? ownFailure : failure;
  return takeForWriting(lock) ? 0 : failure;
}

}  // namespace

extern "C" {

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t*) {
  if (holdings.find(lock)) fail(Failure::misuse, "initialisation of a read-write lock that the thread holds");
  *lock = pthread_rwlock_t{};
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  checkAlive(lock);
  if (*state(lock) != 0) fail(Failure::destroyInUse, "destruction of a read-write lock that is held");
  *state(lock) = 0;
  lock->__data.__flags = kDestroyed;
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  checkAlive(lock);
  if (uint64_t* holding = holdings.find(lock)) {
    if (holdings.isForWriting(holding))
      fail(Failure::selfLock, "lock for reading of a read-write lock that the thread holds for writing");
    holdings.takeAgain(holding);
    return 0;
  }
  heddle_wait(takeForReading(lock));
  return 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  checkAlive(lock);
  if (holdings.find(lock))
    fail(Failure::selfLock, "lock for writing of a read-write lock that the thread already holds");
  heddle_wait(takeForWriting(lock));
  return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) { return tryRead(lock, EBUSY, EBUSY); }
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) { return tryWrite(lock, EBUSY, EBUSY); }
int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec*) { return tryRead(lock, ETIMEDOUT, EDEADLK); }
int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec*) { return tryWrite(lock, ETIMEDOUT, EDEADLK); }

int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t, const timespec*) {
  return tryRead(lock, ETIMEDOUT, EDEADLK);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t, const timespec*) {
  return tryWrite(lock, ETIMEDOUT, EDEADLK);
}

int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  checkAlive(lock);
  uint64_t* holding = holdings.find(lock);
  if (!holding) fail(Failure::unlockNotHeld, "unlock of a read-write lock that the thread does not hold");
  const bool writer = holdings.isForWriting(holding);
  if (!holdings.giveBack(holding)) return 0;
  if (writer) {
    __atomic_store_n(state(lock), 0, __ATOMIC_RELEASE);
  } else {
    __atomic_fetch_sub(state(lock), 1, __ATOMIC_RELEASE);
  }
  return 0;
}

// Who is preferred makes no difference: every order in which the lock can be taken is explored.
int pthread_rwlockattr_init(pthread_rwlockattr_t* attributes) {
  *attributes = pthread_rwlockattr_t{};
  return 0;
}
int pthread_rwlockattr_destroy(pthread_rwlockattr_t*) { return 0; }
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t*, int) { return 0; }
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t*, int) { return 0; }

}  // extern "C"
