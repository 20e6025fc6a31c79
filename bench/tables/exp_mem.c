// exp-mem(N): N threads increment y; the first thread and the last of the N increment x as well (M. Kokologiannakis
// et al., "Truly stateless, optimal dynamic partial order reduction", 2022, program EXP-MEM, table 1). N! * 2
// executions.
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 7
#endif

static atomic_int x, y;

static void *increment_x(void *unused) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void *increment_y(void *argument) {
  atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
  if ((intptr_t)argument == N) increment_x(0);
  return 0;
}

int main(void) {
  start(increment_x, 0);
  for (int i = 1; i <= N; i++) start(increment_y, i);
  return 0;
}
