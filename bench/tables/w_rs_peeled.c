// w+rs-peeled(N): one thread writes 1, 2, ..., 42; N - 1 threads wait for the last value in a loop whose first round stands
// before it, as in thread II of LOOP-PEEL (M. Kokologiannakis' thesis, table 10.12). 1 execution if the two loads of
// the reader are taken for one. If they are not, and the loop is cut after its first round, the first load of each reader has
// 43 values to read: 43^(N - 1) executions, of which one is not blocked, as in the table.
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *writer(void *unused) {
  for (int i = 1; i <= 42; i++) atomic_store_explicit(&x, i, memory_order_relaxed);
  return unused;
}

static void *reader(void *unused) {
  int a = atomic_load_explicit(&x, memory_order_relaxed);
  while (a != 42) a = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  start(writer, 0);
  for (int i = 1; i < N; i++) start(reader, i);
  return 0;
}
