//! sc,tso,ra,ra-msa,rc20,rc11: verified executions=2 blocked=0
//! pso,mca-no-lb,mca-rr: rejected text="mixed-size"
//! rc20,mca-no-lb: verified executions=2 blocked=0 flags="-- -DSAME"
// Atomics of different sizes at one place; models that do not say what they mean refuse them. SAME: two views of one size
// are fine everywhere.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic uint32_t word;
#ifdef SAME
  _Atomic int32_t part;
#else
  _Atomic uint16_t part;
#endif
} cell;

static void *bytes(void *unused) {
  atomic_store_explicit(&cell.part, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  atomic_store_explicit(&cell.word, 7, memory_order_relaxed);
  pthread_create(&thread, 0, bytes, 0);
  (void)atomic_load_explicit(&cell.word, memory_order_relaxed);
  pthread_join(thread, 0);
  return 0;
}
