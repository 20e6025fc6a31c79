//! rc20: verified executions=1 blocked=0
// Thirty threads, each with a location of its own: nothing to choose.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 30
static atomic_int cells[THREADS];

static void *work(void *cell) {
  atomic_store_explicit((atomic_int *)cell, 1, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, work, &cells[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  int sum = 0;
  for (int i = 0; i < THREADS; i++) sum += atomic_load_explicit(&cells[i], memory_order_relaxed);
  assert(sum == THREADS);
  return 0;
}
