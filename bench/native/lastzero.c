// lastzero(N): one thread looks for the last zero of an array from its end, thread j writes array[j] = array[j-1] + 1
// (P. A. Abdulla et al., "Source sets", 2017); (N+3) * 2^(N-2) executions, 147,456 for N=15.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 15
#endif

static atomic_int array[N + 1];

static void *search(void *unused) {
  for (int i = N; atomic_load_explicit(&array[i], memory_order_acquire) != 0; i--) {
  }
  return unused;
}

static void *write_next(void *argument) {
  int j = (int)(intptr_t)argument;
  int before = atomic_load_explicit(&array[j - 1], memory_order_acquire);
  atomic_store_explicit(&array[j], before + 1, memory_order_release);
  return 0;
}

int main(void) {
  start(search, 0);
  for (int j = 1; j <= N; j++) start(write_next, j);
  return 0;
}
