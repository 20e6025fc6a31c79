// lockinc(N): each of N threads takes a lock and adds one with a load and a store; N! executions, 5,040 for N=7.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 7
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *increment(void *unused) {
  pthread_mutex_lock(&lock);
  int old = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&x, old + 1, memory_order_relaxed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  for (int i = 0; i < N; i++) start(increment, i);
  return 0;
}
