//! rc20: verified executions=3 blocked=0
// Control flow of the harder kind: computed goto, fall-through, a loop left from the middle. A reader of a location
// with two writes of another thread: three executions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  static void *const labels[] = {&&zero, &&one, &&two};
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int seen = atomic_load_explicit(&x, memory_order_relaxed), result = 0;
  goto *labels[seen];
two:
  result += 2;
one:
  result += 1;
zero:
  for (int i = 0;; i++) {
    switch (i) {
      case 0: continue;
      case 1: result += 10;
      default: goto done;
    }
  }
done:
  assert(result == 10 + (seen == 2 ? 3 : seen));
  pthread_join(thread, 0);
  return 0;
}
