// ws+r-peeled(N): N threads write three times each to one location; one thread reads it in a loop whose first round
// stands before it, as in thread II of LOOP-PEEL, until it finds the first write of some thread or the initial value
// (M. Kokologiannakis' thesis, table 10.12). (3N)! / 6^N orders of the writes and N + 1 values: 6,720 and 1,848,000
// executions if the two loads of the reader are taken for one.
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *writer(void *argument) {
  int self = (int)(intptr_t)argument;
  for (int i = 0; i < 3; i++) atomic_store_explicit(&x, 3 * self + i, memory_order_relaxed);
  return 0;
}

static void *reader(void *unused) {
  int a = atomic_load_explicit(&x, memory_order_relaxed);
  while (a % 3 != 0) a = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  for (int i = 0; i < N; i++) start(writer, i);
  start(reader, 0);
  return 0;
}
