//! rc20,sc: verified executions=3 blocked=0 flags="-- -DSHAPE=1"
//! rc20,sc: verified executions=3 blocked=0 flags="-- -DSHAPE=2"
//! rc20,sc: verified executions=3 blocked=0 flags="-- -DSHAPE=3"
//! rc20: error=assertion-failure line=@late flags="-- -DSHAPE=1 -DOTHERS=3"
//! rc20: error=assertion-failure line=@late flags="-- -DSHAPE=2 -DOTHERS=3"
//! rc20: error=assertion-failure line=@late flags="-- -DSHAPE=3 -DOTHERS=3"
// A thread tries three times to exchange what it has found, and gives up. An exchange that fails has found what is there now, so
// for each failure somebody else must have written in between: with one other write it cannot fail three times, with three
// it can.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef OTHERS
#define OTHERS 1
#endif

static atomic_int x;

static int try(void) {
  int old = atomic_load(&x);
#if SHAPE == 1
  for (int i = 0; i < 3; i++) {
    if (atomic_compare_exchange_strong(&x, &old, old + 1)) return 1;
  }
#elif SHAPE == 2
  int i = 0;
  do {
    if (atomic_compare_exchange_strong(&x, &old, old + 1)) return 1;
  } while (++i < 3);
#else
  for (int i = 0; i < 3 && old < 1000; i++) {
    if (atomic_compare_exchange_strong(&x, &old, old + 1)) return 1;
  }
#endif
  return 0;
}

static void *other(void *unused) {
  for (int i = 1; i <= OTHERS; i++) atomic_store(&x, 10 * i);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  assert(try());  // @late
  pthread_join(thread, 0);
  return 0;
}
