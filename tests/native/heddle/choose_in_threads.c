//! rc20: verified executions=8 blocked=0
// A choice of two in each of two threads, and the two orders of the writes that follow: 2 * 2 * 2.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *unused) {
  atomic_store_explicit(&x, (int)heddle_choose(2), memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  return 0;
}
