//! rc20: verified executions=6 flags="-- -DSHAPE=1"
//! rc20: verified executions=6 flags="-- -DSHAPE=1 -DWEAK"
//! rc20: verified executions=6 flags="-- -DSHAPE=2"
//! rc20: verified executions=6 flags="-- -DSHAPE=3 -DWEAK"
//! rc20: verified executions=6 flags="-- -DSHAPE=4"
//! rc20: verified executions=6 flags="-- -DSHAPE=8 -DWEAK"
//! sc: verified executions=6 flags="-- -DSHAPE=1 -DWEAK"
//! rc20: error=assertion-failure line=@first flags="-- -DSHAPE=5"
//! rc20: error=assertion-failure line=@tries flags="-- -DSHAPE=6"
//! rc20: error=assertion-failure line=@ignored flags="-- -DSHAPE=7 -DWEAK"
//! rc20: verified executions=1 flags="-- -DSHAPE=7"
// Operations that the language does not have, made of a compare-exchange: three threads, 3! executions, whatever becomes of
// the old value. Not so if it is asked what was read first (5), or how often it was tried (6). A weak exchange that fails for
// no reason, and is not repeated, is found (7).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define EXCHANGE atomic_compare_exchange_weak_explicit
#else
#define EXCHANGE atomic_compare_exchange_strong_explicit
#endif

static atomic_int x;
static int results[3];

static int fetch_twice_and_add(int n) {
  int old = atomic_load_explicit(&x, memory_order_relaxed);
#if SHAPE == 1
  while (!EXCHANGE(&x, &old, 2 * old + n, memory_order_relaxed, memory_order_relaxed)) {
  }
  return old;
#elif SHAPE == 2
  for (;;) {
    if (EXCHANGE(&x, &old, 2 * old + n, memory_order_acq_rel, memory_order_acquire)) return old;
  }
#elif SHAPE == 3
  int new;
  do {
    new = 2 * old + n;
  } while (!EXCHANGE(&x, &old, new, memory_order_relaxed, memory_order_relaxed));
  return old + new;
#elif SHAPE == 4
  _Bool done = 0;
  while (!done) done = EXCHANGE(&x, &old, 2 * old + n, memory_order_relaxed, memory_order_relaxed);
  return old;
#elif SHAPE == 8
  while (old < 1000 && !EXCHANGE(&x, &old, 2 * old + n, memory_order_relaxed, memory_order_relaxed)) {
  }
  return old;
#elif SHAPE == 5
  const int first = old;
  while (!EXCHANGE(&x, &old, 2 * old + n, memory_order_relaxed, memory_order_relaxed)) {
  }
  assert(first == old);  // @first
  return old;
#elif SHAPE == 6
  int tries = 1;
  while (!EXCHANGE(&x, &old, 2 * old + n, memory_order_relaxed, memory_order_relaxed)) tries++;
  assert(tries < 3);  // @tries
  return old;
#else
  return old;
#endif
}

static void *worker(void *argument) {
  int *result = argument;
  *result = fetch_twice_and_add(1 + (int)(result - results));
  return 0;
}

int main(void) {
#if SHAPE == 7
  int old = 0;
  (void)EXCHANGE(&x, &old, 1, memory_order_relaxed, memory_order_relaxed);
  assert(atomic_load(&x) == 1);  // @ignored
#endif
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, worker, &results[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
