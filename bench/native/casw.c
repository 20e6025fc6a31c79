// casw(N): each of N threads turns 0 into 1 and then writes a number of its own; 32,880 executions for N=5.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x;

static void *work(void *argument) {
  int i = (int)(intptr_t)argument, expected = 0;
  atomic_compare_exchange_strong_explicit(&x, &expected, 1, memory_order_relaxed, memory_order_relaxed);
  atomic_store_explicit(&x, i + 3, memory_order_release);
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) start(work, i);
  return 0;
}
