// Mutexes of pthreads; std::mutex and its relatives, and C11's mtx_t, are made of them.
//
// The lock that the explorer knows is the first word of glibc's layout (0: free), so static initialisers work, and the
// kind (normal, recursive, errorcheck) is in its usual place. Who holds a mutex is in holdings.h: a recursive lock by
// the holder is no event. Initialising and destroying are plain writes of the whole object: whoever uses it at the
// same time races with them.

#include <errno.h>
#include <pthread.h>

#include "clock.h"
#include "failure.h"
#include "holdings.h"
#include "live.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::holdings;
using heddle::library::warn;

namespace {

constexpr int kTypeMask = 3;
constexpr int kDestroyed = -1;

int typeOf(const pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind;
  if (kind == kDestroyed) fail(Failure::misuse, "use of a mutex that has been destroyed");
  return kind & kTypeMask;
}

// The mutex is held by this thread already. Locking it again works or gives an error code.
int lockAgain(uint64_t* holding, int type, int otherwise) {
  if (type != PTHREAD_MUTEX_RECURSIVE) return otherwise;
  holdings.takeAgain(holding);
  return 0;
}

// Trying: it fails exactly when somebody holds the mutex.
int tryLock(pthread_mutex_t* mutex, int failure, int ownFailure) {
  const int type = typeOf(mutex);
  if (uint64_t* holding = holdings.find(mutex)) {
    const bool check = type == PTHREAD_MUTEX_ERRORCHECK;
    return lockAgain(holding, type, check ? ownFailure : failure);
  }
  if (!heddle_trylock(mutex)) return failure;
  holdings.add(mutex);
  return 0;
}

// Trying for some time. Whether the time is one is asked of those who would wait.
int timedLock(pthread_mutex_t* mutex, const timespec* deadline) {
  const int result = tryLock(mutex, ETIMEDOUT, EDEADLK);
  return result == ETIMEDOUT ? heddle::library::timeOut(deadline) : result;
}

// A word of glibc's layout that nothing is kept in here.
unsigned& markOf(pthread_mutex_t* mutex) { return mutex->__data.__nusers; }

int& attribute(pthread_mutexattr_t* attributes) { return attributes->__align; }

}  // namespace

extern "C" {

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  if (holdings.find(mutex)) fail(Failure::misuse, "initialisation of a mutex that the thread holds");
  heddle::library::checkNotLive(markOf(mutex), "initialisation of a mutex that has not been destroyed");
  *mutex = pthread_mutex_t{};
  markOf(mutex) = heddle::library::kLive;
  mutex->__data.__kind = attributes ? attributes->__align : PTHREAD_MUTEX_DEFAULT;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  typeOf(mutex);
  if (holdings.find(mutex)) fail(Failure::destroyInUse, "destruction of a mutex that the thread holds");
  if ((mutex->__data.__lock & 1) != 0) fail(Failure::destroyInUse, "destruction of a mutex that another thread holds");
  mutex->__data.__lock = 0;
  mutex->__data.__kind = kDestroyed;
  markOf(mutex) = 0;
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  const int type = typeOf(mutex);
  if (uint64_t* holding = holdings.find(mutex)) {
    if (type != PTHREAD_MUTEX_RECURSIVE && type != PTHREAD_MUTEX_ERRORCHECK) {
      fail(Failure::selfLock, "lock of a mutex that the thread already holds");
    }
    return lockAgain(holding, type, EDEADLK);
  }
  heddle_lock(mutex);
  holdings.add(mutex);
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) { return tryLock(mutex, EBUSY, EBUSY); }

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) { return timedLock(mutex, deadline); }
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t, const timespec* deadline) { return timedLock(mutex, deadline); }

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  uint64_t* holding = holdings.find(mutex);
  if (!holding) {
    const int type = typeOf(mutex);
    static constexpr const char* kMessage = "unlock of a mutex that the thread does not hold";
    if (type == PTHREAD_MUTEX_ERRORCHECK) return EPERM;
    if (type != PTHREAD_MUTEX_RECURSIVE) fail(Failure::unlockNotHeld, kMessage);
    warn(kMessage);  // an error code by POSIX, undefined for std::recursive_mutex
    return EPERM;
  }
  if (holdings.giveBack(holding)) heddle_unlock(mutex);
  return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t* attributes) {
  attribute(attributes) = PTHREAD_MUTEX_DEFAULT;
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t* attributes) {
  attribute(attributes) = kDestroyed;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t* attributes, int type) {
  if (type < 0 || type > PTHREAD_MUTEX_ADAPTIVE_NP) return EINVAL;
  attribute(attributes) = type;
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t* attributes, int* type) {
  *type = attributes->__align & kTypeMask;
  return 0;
}

// Processes, protocols and priorities make no difference to which executions there are.
int pthread_mutexattr_setpshared(pthread_mutexattr_t*, int) { return 0; }
int pthread_mutexattr_setprotocol(pthread_mutexattr_t*, int) { return 0; }
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t*, int) { return 0; }

int pthread_mutexattr_setrobust(pthread_mutexattr_t*, int robustness) {
  if (robustness != PTHREAD_MUTEX_STALLED) fail(Failure::unsupported, "robust mutexes are not supported");
  return 0;
}

}  // extern "C"
