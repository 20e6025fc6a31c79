//! rc20: verified executions=21
//! rc20: verified executions=21 flags="--fair"
//! rc20: bounded executions=12 flags="--fair -- -DYIELDS"
//! rc20: verified executions=2 blocked=0 flags="--fair -- -DWAITS"
// Where nobody yields nothing is left out. With a yield after the third of five loads, the fourth does not see what the third
// has seen unless that is the last write. A loop that waits without writing is what it is without the option: one read.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *unused) {
  (void)unused;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
#ifdef WAITS
  while (atomic_load_explicit(&x, memory_order_relaxed) == 0) sched_yield();
#else
  for (int i = 0; i < 5; i++) {
    atomic_load_explicit(&x, memory_order_relaxed);
#ifdef YIELDS
    if (i == 2) sched_yield();
#endif
  }
#endif
  pthread_join(thread, 0);
  return 0;
}
