// casrot(N): thread i turns i-1 into i, i = 1..N; 38,486 executions for N=10.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 10
#endif

static atomic_int x;

static void *rotate(void *argument) {
  int i = (int)(intptr_t)argument, expected = i - 1;
  atomic_compare_exchange_strong_explicit(&x, &expected, i, memory_order_relaxed, memory_order_relaxed);
  return 0;
}

int main(void) {
  for (int i = 1; i <= N; i++) start(rotate, i);
  return 0;
}
