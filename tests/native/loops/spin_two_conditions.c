//! rc20: verified executions=1 blocked=0
// The condition of the wait has two loads, and the second one is made only sometimes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *set(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  while (atomic_load_explicit(&x, memory_order_acquire) == 0 || atomic_load_explicit(&y, memory_order_relaxed) == 0) {
  }
  assert(atomic_load(&x) + atomic_load(&y) == 2);
  pthread_join(thread, 0);
  return 0;
}
