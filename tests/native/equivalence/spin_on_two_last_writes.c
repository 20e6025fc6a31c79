//! sc,tso: verified executions=4 blocked=1 flags="--equivalence rf"
//! sc,tso: verified executions=11 blocked=1
//! rc20,pso: error=non-termination line=@spin flags="--equivalence rf"
//! rc20,pso: error=non-termination line=@spin
// The loop never ends if the first write of both threads is the last of its location. Each can be, but not both under sc.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *upwards(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  return unused;
}

static void *downwards(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

static void *spin(void *unused) {
  while (atomic_load_explicit(&x, memory_order_relaxed) == 1 && atomic_load_explicit(&y, memory_order_relaxed) == 1) continue;  // @spin
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, upwards, 0);
  pthread_create(&b, 0, downwards, 0);
  pthread_create(&c, 0, spin, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
