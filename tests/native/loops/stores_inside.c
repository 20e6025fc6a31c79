//! rc20,sc: error=assertion-failure line=@seen flags="-- -DSHAPE=1"
//! rc20,sc: error=assertion-failure line=@seen flags="-- -DSHAPE=2"
//! rc20: error=assertion-failure line=@seen flags="-- -DSHAPE=3"
//! sc: verified executions=7 blocked=5 flags="-- -DSHAPE=3"
//! rc20: verified executions=3 blocked=0 flags="-- -DSHAPE=4"
// Loops that wait and store. 1 and 2: the stores are in a loop inside, and somebody looks. 3: the store that is repeated is that of a
// read-modify-write, which is part of a release sequence; the store is not. 4: the same value again and again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, d;

static void *waiter(void *unused) {
#if SHAPE == 1
  while (!atomic_load(&x)) {
    for (int i = 0; i < 2; i++) atomic_store(&y, 1);
  }
#elif SHAPE == 2
  do {
    const int value = atomic_load(&d);
    for (int i = 0; i < 2; i++) atomic_store(&y, value);
  } while (!atomic_load(&x));
#elif SHAPE == 3
  atomic_store_explicit(&d, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_release);
  atomic_fetch_or_explicit(&y, 1, memory_order_relaxed);
  while (!atomic_load_explicit(&x, memory_order_relaxed)) atomic_store_explicit(&y, 1, memory_order_relaxed);
#elif SHAPE == 4
  atomic_store(&y, 1);
  do {
    atomic_store(&y, 1);
  } while (!atomic_load(&x));
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  int seen = 0;
#if SHAPE == 2
  atomic_store(&d, 1);
  const int first = atomic_load(&y);
  atomic_store(&d, 2);
  seen = first == 1 && atomic_load(&y) == 2;
#elif SHAPE == 3
  const int value = atomic_load_explicit(&y, memory_order_acquire);
  seen = value == 1 && atomic_load_explicit(&d, memory_order_relaxed) == 0;
#elif SHAPE == 4
  seen = atomic_load(&y) > 1;
#endif
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_join(thread, 0);
#if SHAPE == 1
  seen = atomic_load(&y) == 1;
#endif
  assert(!seen);  // @seen
  return 0;
}
