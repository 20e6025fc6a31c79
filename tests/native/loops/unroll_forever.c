//! rc20: incomplete executions=0 flags="--unroll 2"
//! sc: incomplete executions=0 flags="--unroll 2"
// Two threads that go round for ever, with visible operations: only a bound ends this.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *unused) {
  for (;;) atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
}
