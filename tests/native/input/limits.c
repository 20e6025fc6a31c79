//! rc20: verified executions=24 blocked=0
//! rc20: verified executions=24 blocked=0 flags="--max-executions 25"
//! rc20: incomplete executions=23 flags="--max-executions 23"
//! rc20: verified executions=1 flags="--equivalence rf -- -DSTORE"
//! rc20: verified executions=24 flags="-- -DSTORE"
// Four increments have 4! orders. A run that was stopped early is incomplete, never verified. Four stores that nobody
// reads are one execution to the rf equivalence.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *unused) {
#ifdef STORE
  atomic_store_explicit(&x, 1, memory_order_relaxed);
#else
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, 0);
  work(0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
