// exp-mem2(N): "a variant of exp-mem with no RMW operations" (M. Kokologiannakis et al., "Truly stateless, optimal
// dynamic partial order reduction", 2022, table 1, which does not print it). The counts are (N! * (N+2))^2, which
// suggests two independent halves of N writers each and a thread that reads what they write in one of the two
// outcomes of another race.
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 4
#endif

static atomic_int x[2], y[2];

static void *write_x(void *argument) {
  atomic_store_explicit(&x[(intptr_t)argument], 1, memory_order_relaxed);
  return 0;
}

static void *write_y(void *argument) {
  int self = (int)(intptr_t)argument;
  atomic_store_explicit(&y[0], self, memory_order_relaxed);
  atomic_store_explicit(&y[1], self, memory_order_relaxed);
  return 0;
}

static void *read_half(void *argument) {
  intptr_t half = (intptr_t)argument;
  if (atomic_load_explicit(&x[half], memory_order_relaxed) == 0) atomic_load_explicit(&y[half], memory_order_relaxed);
  return 0;
}

int main(void) {
  for (int half = 0; half < 2; half++) start(write_x, half);
  for (int i = 1; i <= N; i++) start(write_y, i);
  for (int half = 0; half < 2; half++) start(read_half, half);
  return 0;
}
