//! rc20: verified executions=4 blocked=0
//! rc20: verified executions=2 blocked=0 flags="-- -DWIDER"
// The atomics of two calls may be at one address, one after the other: what was there before is gone. WIDER: the second
// one is of another size. Two calls with an early or late read each, or one such call and one without a choice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void *set_int(void *cell) {
  atomic_store_explicit((atomic_int *)cell, 7, memory_order_relaxed);
  return 0;
}

static __attribute__((noinline)) void narrow(int start) {
  atomic_int cell = start;
  pthread_t thread;
  pthread_create(&thread, 0, set_int, &cell);
  int seen = atomic_load_explicit(&cell, memory_order_relaxed);
  assert(seen == start || seen == 7);
  pthread_join(thread, 0);
  assert(atomic_load_explicit(&cell, memory_order_relaxed) == 7);
}

static void *set_long(void *cell) {
  atomic_store_explicit((atomic_long *)cell, 1L << 40, memory_order_relaxed);
  return 0;
}

static __attribute__((noinline)) void wide(void) {
  atomic_long cell = -1;
  pthread_t thread;
  pthread_create(&thread, 0, set_long, &cell);
  pthread_join(thread, 0);
  assert(atomic_load_explicit(&cell, memory_order_relaxed) == 1L << 40);
}

int main(void) {
  narrow(1);
#ifdef WIDER
  wide();
#else
  narrow(2);
#endif
  return 0;
}
