//! rc20,sc: bounded executions=3 blocked=0 text="staleReads" flags="--stale 2 --equivalence co"
//! rc20: bounded executions=9 blocked=0 flags="--stale 8"
//! rc20: bounded executions=6 text="staleReads" flags="--stale 2 -- -DLOOK"
//! rc20: bounded executions=3 flags="--stale 2 -j 1 -- -DROUNDS=3"
//! rc20,sc: error=assertion-failure line=@rounds flags="--stale 3 -- -DROUNDS=3"
//! rc20: error=assertion-failure line=@data flags="--stale 1 -- -DUSE"
//! sc: bounded flags="--stale 1 -- -DUSE"
//! rc20: bounded executions=6 flags="--stale 2 --unroll 5 -- -DLOOK"
// A loop that waits and writes in every round, so that each number of rounds is an execution of its own. It has to see the
// flag after it has read the old value N times. What comes after the loop is explored, and rounds within the bound are, too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 1000
#endif

static atomic_int done, tries, data;

static void *setter(void *unused) {
  (void)unused;
#ifdef LOOK
  atomic_load_explicit(&tries, memory_order_relaxed);  // each round may be the one that is seen here
#endif
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, setter, 0);
  while (!atomic_load_explicit(&done, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&tries, 1, memory_order_relaxed);
  }
#ifdef USE
  assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);  // @data
#endif
  assert(atomic_load_explicit(&tries, memory_order_relaxed) < ROUNDS);  // @rounds
  pthread_join(thread, 0);
  return 0;
}
