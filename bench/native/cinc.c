// cinc(N): each of N threads adds one to x, y, z; (N!)^3, 13,824 for N=4 executions.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 4
#endif

static atomic_int x, y, z;

static void *increment(void *unused) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&z, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  for (int i = 0; i < N; i++) start(increment, i);
  return 0;
}
