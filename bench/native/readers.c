// readers(N): one write, N reads, all threads joined; 2^N executions, 16,384 for N=14.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 14
#endif

static atomic_int x;

static void *write_x(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_release);
  return unused;
}

static void *read_x(void *unused) {
  (void)atomic_load_explicit(&x, memory_order_acquire);
  return unused;
}

int main(void) {
  pthread_t threads[N + 1];
  threads[0] = start(write_x, 0);
  for (int i = 1; i <= N; i++) threads[i] = start(read_x, i);
  for (int i = 0; i <= N; i++) pthread_join(threads[i], 0);
  return 0;
}
