// Barriers of pthreads.
//
// In most programs nobody asks who came last to a barrier, and then the explorer knows what to do (heddle_arrive,
// heddle_depart): pthread_barrier_wait is heddle_barrier_meet there (native/link.cpp). Otherwise one atomic word is the
// set of threads that have arrived. The last one to arrive empties it and wakes the others (parking.h), so a barrier can
// be used again at once, and those that were woken do not touch it any more.

#include <errno.h>
#include <pthread.h>

#include "failure.h"
#include "parking.h"

using heddle::library::Failure;
using heddle::library::bitOf;
using heddle::library::fail;
using heddle::library::kThreads;

namespace {

struct Barrier {
  uint64_t arrived;
  uint32_t count;  // 0: destroyed
  uint32_t unused;
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t) && alignof(Barrier) <= alignof(pthread_barrier_t));

Barrier& barrierOf(pthread_barrier_t* barrier) { return *reinterpret_cast<Barrier*>(barrier); }

void checkAlive(const Barrier& barrier) {
  if (barrier.count == 0) fail(Failure::misuse, "use of a barrier that is not initialised or has been destroyed");
}

}  // namespace

extern "C" {

int pthread_barrier_init(pthread_barrier_t* object, const pthread_barrierattr_t*, unsigned count) {
  if (count == 0) return EINVAL;
  if (count > kThreads) fail(Failure::unsupported, "a barrier of more than 64 threads");
  barrierOf(object) = {0, count, 0};
  return 0;
}

int pthread_barrier_destroy(pthread_barrier_t* object) {
  Barrier& barrier = barrierOf(object);
  checkAlive(barrier);
  if (barrier.arrived != 0) fail(Failure::destroyInUse, "destruction of a barrier that a thread waits at");
  barrier = {0, 0, 0};
  return 0;
}

void heddle_too_many_arrive() { fail(Failure::misuse, "more arrive at the same time than are expected"); }

int heddle_barrier_meet(pthread_barrier_t* object) {
  Barrier& barrier = barrierOf(object);
  checkAlive(barrier);
  const uint32_t count = barrier.count;
  if (!heddle_arrive(object, count, 1)) heddle_too_many_arrive();
  heddle_depart(object, count);
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t* object) {
  Barrier& barrier = barrierOf(object);
  checkAlive(barrier);
  const uint64_t before = __atomic_fetch_or(&barrier.arrived, bitOf(heddle_self()), __ATOMIC_ACQ_REL);
  if (static_cast<uint32_t>(__builtin_popcountll(before)) + 1 < barrier.count) {
    heddle::library::park();
    return 0;
  }
  __atomic_store_n(&barrier.arrived, 0, __ATOMIC_RELAXED);
  heddle::library::wakeAll(before);
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

int pthread_barrierattr_init(pthread_barrierattr_t* attributes) {
  *attributes = pthread_barrierattr_t{};
  return 0;
}
int pthread_barrierattr_destroy(pthread_barrierattr_t*) { return 0; }
int pthread_barrierattr_setpshared(pthread_barrierattr_t*, int) { return 0; }

}  // extern "C"
