//! rc20: verified executions=10 flags="-- -mrtm"
//! sc,tso: verified executions=10 flags="-- -mrtm"
//! rc20: error=data-race flags="-- -mrtm -DBUG"
//! rc20: error=assertion-failure line=@counted flags="-- -mrtm -DBUG -DATOMIC"
//
// Lock elision: a critical section runs as a transaction of the hardware, so that sections which do not conflict run side
// by side; if it is aborted, the lock is taken after all. R. Rajwar and J. R. Goodman, "Speculative lock elision:
// enabling highly concurrent multithreaded execution" (MICRO 2001).
//
// The transaction reads the lock. If somebody has it, it gives up; if somebody takes it later, the hardware aborts it,
// as it has read what was written.
//
// BUG: it does not look at the lock. A section that runs as a transaction then falls into the middle of one that has the
// lock, and an increment is lost.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;  // 1: somebody has it
#ifdef ATOMIC
static atomic_int count;
#define COUNT atomic_store_explicit(&count, atomic_load_explicit(&count, memory_order_relaxed) + 1, memory_order_relaxed)
#else
static int count;
#define COUNT ++count
#endif

static void enter(void) {
  if (_xbegin() == _XBEGIN_STARTED) {
#ifndef BUG
    if (atomic_load_explicit(&lock, memory_order_relaxed) != 0) _xabort(1);
#endif
    return;
  }
  int free = 0;
  while (!atomic_compare_exchange_weak(&lock, &free, 1)) free = 0;
}

static void leave(void) {
  if (_xtest()) {
    _xend();
  } else {
    atomic_store_explicit(&lock, 0, memory_order_release);
  }
}

static void *increment(void *unused) {
  enter();
  COUNT;
  leave();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, increment, 0);
  increment(0);
  pthread_join(thread, 0);
  assert(count == 2);  // @counted
  return 0;
}
