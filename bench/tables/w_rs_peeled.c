// w+rs-peeled(N): one thread writes 1, 2, 3; N threads wait for the last value in a loop whose first round stands
// before it, as in thread II of LOOP-PEEL (M. Kokologiannakis' thesis, table 10.12). 1 execution if the two loads of
// the reader are taken for one.
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif

static atomic_int x;

static void *writer(void *unused) {
  for (int i = 1; i <= 3; i++) atomic_store_explicit(&x, i, memory_order_relaxed);
  return unused;
}

static void *reader(void *unused) {
  int a = atomic_load_explicit(&x, memory_order_relaxed);
  while (a != 3) a = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  start(writer, 0);
  for (int i = 0; i < N; i++) start(reader, i);
  return 0;
}
