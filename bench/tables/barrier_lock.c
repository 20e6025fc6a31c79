// barrier-lock(N): N threads meet at a barrier, all try to enter a critical section, whose exclusion is checked, and meet
// again (M. Kokologiannakis' thesis, table 10.10, "a simple lock implementation"). With the lock of ttaslock.h there are
// (N!)^2 executions, which is what the table has: 36, 576, 14,400. If the orders of arrivals are explored, too, each
// meeting makes them N! times as many: 1,296 and 331,776 in the table, so there are two.
#include "ttaslock.h"

#include <assert.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif

static pthread_barrier_t barrier;
static int inside;

static void *enter(void *unused) {
  pthread_barrier_wait(&barrier);
  lock();
  inside++;
  assert(inside == 1);
  inside--;
  unlock();
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, N);
  for (int i = 0; i < N; i++) start(enter, i);
  return 0;
}
