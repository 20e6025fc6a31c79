// ttaslock(N): N threads enter a critical section once each, under the lock of ttaslock.h (M. Kokologiannakis'
// thesis, table 10.11). There are N! orders to take the lock in; the one who takes it as the p-th may before that
// have seen any of the p times when it was free. (N!)^2 executions: 36, 576.
#include "ttaslock.h"

#include <assert.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif

static int shared;

static void *enter(void *argument) {
  int self = (int)(intptr_t)argument;
  lock();
  shared = self;
  assert(shared == self);
  unlock();
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) start(enter, i);
  return 0;
}
