//! rc20,sc,ra: error=non-termination line=@spin flags="--equivalence rf -- -DFIRST=1"
//! rc20,sc,ra: error=non-termination line=@spin flags="--equivalence rf -- -DFIRST=2"
//! rc20: error=non-termination line=@spin flags="--equivalence rf -j 2 -- -DFIRST=2"
//! rc20: error=non-termination line=@spin flags="--equivalence rf --races off -- -DFIRST=2"
//! rc20: error=non-termination line=@spin flags="-- -DFIRST=2"
//! rc20: verified executions=2 blocked=2 flags="--equivalence rf -- -DFIRST=1 -DAFTER"
//! rc20: verified executions=2 blocked=2 flags="--equivalence rf -- -DFIRST=2 -DAFTER"
// A thread spins until it reads 1. Another thread writes 2: for ever, if that is the last write.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *writeFirst(void *unused) {
  atomic_store_explicit(&x, FIRST, memory_order_relaxed);
  return unused;
}

static void *writeSecond(void *unused) {
  atomic_store_explicit(&x, 3 - FIRST, memory_order_relaxed);
  return unused;
}

static void *spin(void *unused) {
  while (atomic_load_explicit(&x, memory_order_relaxed) != 1) continue;  // @spin
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, writeFirst, 0);
  pthread_create(&b, 0, writeSecond, 0);
  pthread_create(&c, 0, spin, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#ifdef AFTER
  atomic_store_explicit(&x, 1, memory_order_relaxed);
#endif
  pthread_join(c, 0);
}
