// Barriers of pthreads.
//
// In most programs nobody asks who came last to a barrier, and then the explorer knows what to do (heddle_arrive,
// heddle_depart): pthread_barrier_wait is heddle_barrier_meet there (native/compile/link.cpp). Otherwise one word, under a lock, is the
// list of the threads that have arrived. The last one to arrive empties it and wakes the others (parking.h), so a barrier
// can be used again at once, and those that were woken do not touch it any more.
//
// If more threads come than a barrier is for, they meet in groups, and who meets whom depends on the order in which they
// come. That is not known before they do. Then everything is explored from the start once more, with arrivals in order.
//
// A barrier that is destroyed and initialised again, or a new std::barrier or std::latch at the address of one that is
// gone, is another one. Each thread numbers those that it makes, and what tells them apart is the thread and that
// number (src/program/barrier.h).

#include <errno.h>
#include <pthread.h>

#include "failure.h"
#include "live.h"
#include "parking.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::kThreads;

namespace {

struct Barrier {
  uint32_t arrived;  // so many,
  uint32_t newest;   // and the last of them, plus one
  uint32_t count;    // 0: destroyed
  uint32_t number;   // among all barriers
  uint32_t lock;     // of those that have arrived
  uint32_t mark;     // live.h
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t) && alignof(Barrier) <= alignof(pthread_barrier_t));

Barrier& barrierOf(pthread_barrier_t* barrier) { return *reinterpret_cast<Barrier*>(barrier); }

// Of each thread that waits at a barrier: who has arrived there before it, plus one; 0 for nobody.
uint32_t before[kThreads];

constexpr unsigned kNumberBits = 24;  // the others are the thread's
__thread uint32_t made;

uint32_t newNumber() {
  if (++made >> kNumberBits != 0) fail(Failure::unsupported, "a thread that makes more than 16 million barriers");
  return heddle_self() << kNumberBits | made;
}

uint64_t which(const Barrier& barrier) { return uint64_t{barrier.number} << 32 | barrier.count; }

// Where arrivals have an order: whose turn it is, for a few barriers each.
constexpr unsigned kTurns = 32;
uint32_t turns[kTurns];

void checkAlive(const Barrier& barrier) {
  if (barrier.count == 0) fail(Failure::misuse, "use of a barrier that is not initialised or has been destroyed");
}

}  // namespace

extern "C" {

int pthread_barrier_init(pthread_barrier_t* object, const pthread_barrierattr_t*, unsigned count) {
  if (count == 0) return EINVAL;
  if (count > kThreads) fail(Failure::unsupported, "a barrier of more than 256 threads");
  Barrier& barrier = barrierOf(object);
  heddle::library::checkNotLive(barrier.mark, "initialisation of a barrier that has not been destroyed");
  barrier = {0, 0, count, newNumber(), 0, heddle::library::kLive};
  return 0;
}

int pthread_barrier_destroy(pthread_barrier_t* object) {
  Barrier& barrier = barrierOf(object);
  checkAlive(barrier);
  if (barrier.arrived != 0) fail(Failure::destroyInUse, "destruction of a barrier that a thread waits at");
  barrier = {0, 0, 0, 0, 0, 0};
  return 0;
}

// For latches and barriers of C++ (src/native/overlay). Those that are there from the start have number 0.
uint64_t heddle_new_barrier(int64_t count) {
  if (count < 0 || count > INT32_MAX) fail(Failure::misuse, "a latch or barrier for less than none, or too many");
  return uint64_t{newNumber()} << 32 | static_cast<uint64_t>(count);
}

void heddle_too_many_arrive() { fail(Failure::misuse, "more arrive at the same time than are expected"); }

// The round of an arrival at a barrier at which threads meet in groups.
int64_t heddle_arrive_in_group(const void* barrier, uint64_t same, uint64_t weight, int drops) {
  if (!heddle_arrivals_have_order()) {
    const int64_t round = heddle_arrive(barrier, same, weight, drops);
    if (round >= 0) return round;
    heddle_order_arrivals();
  }
  uint32_t* const turn = &turns[reinterpret_cast<uintptr_t>(barrier) / alignof(Barrier) % kTurns];
  heddle_lock(turn);
  const int64_t round = heddle_arrive(barrier, same, weight, drops);
  heddle_unlock(turn);
  if (round < 0) heddle_too_many_arrive();
  return round;
}

int heddle_barrier_meet(pthread_barrier_t* object) {
  Barrier& barrier = barrierOf(object);
  checkAlive(barrier);
  const uint64_t same = which(barrier);
  heddle_depart(object, same, heddle_arrive_in_group(object, same, 1, 0));
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t* object) {
  Barrier& barrier = barrierOf(object);
  checkAlive(barrier);
  heddle_lock(&barrier.lock);
  const bool last = barrier.arrived + 1 == barrier.count;
  uint32_t other = barrier.newest;
  barrier.arrived = last ? 0 : barrier.arrived + 1;
  barrier.newest = last ? 0 : heddle_self() + 1;
  if (!last) before[heddle_self()] = other;
  heddle_unlock(&barrier.lock);  // who comes last may destroy the barrier now
  if (!last) {
    heddle::library::park(object);
    return 0;
  }
  while (other != 0) {
    const uint32_t thread = other - 1;
    other = before[thread];
    heddle::library::wake(thread);
  }
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

int pthread_barrierattr_init(pthread_barrierattr_t* attributes) {
  *attributes = pthread_barrierattr_t{};
  return 0;
}
int pthread_barrierattr_destroy(pthread_barrierattr_t*) { return 0; }
int pthread_barrierattr_setpshared(pthread_barrierattr_t*, int) { return 0; }

}  // extern "C"
