//! rc20,sc: verified executions=2 flags="-- -DSHAPE=1"
//! rc20: verified executions=2 flags="-- -DSHAPE=2"
//! rc20: verified executions=2 flags="-- -DSHAPE=3"
//! rc20: verified executions=6 flags="-- -DSHAPE=2 -DTHREE"
//! rc20: error=assertion-failure line=@apart flags="-- -DSHAPE=4"
//! rc20: error=assertion-failure line=@apart flags="-- -DSHAPE=5"
//! rc20: error=assertion-failure line=@times flags="-- -DSHAPE=6"
//! rc20: error=non-termination line=@waits flags="-- -DSHAPE=7"
//! rc20: error=assertion-failure line=@stronger flags="-- -DSHAPE=8"
// A loop around a compare-exchange that loads again on some of its ways round, as when a lock bit is set (2), or depending on something
// else (1, 3): the load before the loop might as well have found what a round finds. Not so if the loop hands on two values that begin
// as the same load and become what two exchanges have found (4, 5), or counts (6). A way round that loads nothing may be gone for
// ever, whatever is there by now (7). What a round has seen by a weaker load than the first one is not what that could have
// found (8).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { locked = 64 };
static atomic_int x, y;
static int apart, times;

static int load(atomic_int *from) { return atomic_load_explicit(from, memory_order_relaxed); }
static int exchange(int *expected, int wanted) {
  return atomic_compare_exchange_strong_explicit(&x, expected, wanted, memory_order_relaxed, memory_order_relaxed);
}

static void *update(void *unused) {
#if SHAPE == 8
  int old = atomic_load_explicit(&x, memory_order_acquire);
#else
  int old = load(&x);
#endif
#if SHAPE == 1 || SHAPE == 6
  while (!exchange(&old, old + 1)) {
    if (load(&y) == 0) old = load(&x);
#if SHAPE == 6
    times++;
#endif
  }
#elif SHAPE == 2
  for (;;) {
    if (old & locked) {
      old = load(&x);
      continue;
    }
    if (exchange(&old, old + 1)) break;
  }
#elif SHAPE == 3
  while (!atomic_compare_exchange_weak_explicit(&x, &old, old + 1, memory_order_relaxed, memory_order_relaxed)) {
    if (load(&y) == 0) {
      old = load(&x);
    } else {
      while (load(&y) != 0) {
      }
      old = load(&x);
    }
  }
#elif SHAPE == 4 || SHAPE == 5
  int other = old;
  for (;;) {
    if (old != other) {
      apart = SHAPE == 4 || (old == 10 && other == 20);
      break;
    }
    if (exchange(&old, old + 1) || exchange(&other, other + 2)) break;
  }
#elif SHAPE == 7
  while (old == 0) {  // @waits
    if (load(&y)) old = load(&x);
  }
#elif SHAPE == 8
  while (old != 10) old = load(&x);
  assert(load(&y) == 1);  // @stronger
#endif
  return unused;
}

static void *write(void *unused) {
#if SHAPE == 2 || SHAPE == 3
  atomic_fetch_add_explicit(&x, 10, memory_order_relaxed);
#elif SHAPE == 8
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 10, memory_order_release);
#else
  atomic_store_explicit(&x, 10, memory_order_relaxed);
#if SHAPE == 1
  atomic_store_explicit(&y, 1, memory_order_relaxed);
#endif
#endif
#if SHAPE == 4 || SHAPE == 5
  atomic_store_explicit(&x, 20, memory_order_relaxed);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, update, 0);
  pthread_create(&threads[1], 0, write, 0);
#ifdef THREE
  pthread_create(&threads[2], 0, update, 0);
  pthread_join(threads[2], 0);
#endif
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(!apart);      // @apart
  assert(times == 0);  // @times
  return 0;
}
