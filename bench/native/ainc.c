// ainc(N): each of N threads adds one to x; N!, 40,320 for N=8 executions.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 8
#endif

static atomic_int x;

static void *increment(void *unused) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  for (int i = 0; i < N; i++) start(increment, i);
  return 0;
}
