//! rc20: verified executions=2 blocked=6
//! rc20: error=assertion-failure line=@old flags="-- -DWRONG"
// What the successful round of the loop saw is used afterwards: it may be the first value or the other thread's.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static int claim(int add) {
  int old = atomic_load_explicit(&value, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&value, &old, old + add, memory_order_relaxed, memory_order_relaxed)) {
  }
  return old;
}

static void *worker(void *unused) {
  int old = claim(10);
  assert(old == 0 || old == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  int old = claim(1);
#ifdef WRONG
  assert(old == 0);  // @old
#else
  assert(old == 0 || old == 10);
#endif
  pthread_join(thread, 0);
  assert(atomic_load(&value) == 11);
  return 0;
}
