//! rc20: verified executions=2 blocked=6
//! rc20: verified executions=2 blocked=2 flags="--no-spurious"
//! sc: verified executions=2 blocked=6
// The usual loop around a weak compare-exchange: a spurious failure leads to the same state again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value = 3;

static void *twice(void *unused) {
  int old = atomic_load_explicit(&value, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&value, &old, old * 2, memory_order_relaxed, memory_order_relaxed)) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, twice, 0);
  twice(0);
  pthread_join(thread, 0);
  assert(atomic_load(&value) == 12);
  return 0;
}
