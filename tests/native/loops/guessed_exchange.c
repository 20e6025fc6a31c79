//! rc20: verified executions=6 flags="-- -DSHAPE=1"
//! rc20: verified executions=6 flags="-- -DSHAPE=2"
//! rc20: verified executions=6 flags="-- -DSHAPE=3"
//! rc20: verified executions=6 flags="-- -DSHAPE=4"
//! sc: verified executions=6 flags="-- -DSHAPE=1"
//! rc20: error=assertion-failure line=@tries flags="-- -DSHAPE=5"
//! rc20: error=assertion-failure line=@first flags="-- -DSHAPE=6"
//! rc20: error=assertion-failure line=@seen flags="-- -DSHAPE=7"
//! rc20: error=data-race line=@write|@read flags="-- -DSHAPE=8"
//! rc20: verified executions=12 flags="-- -DSHAPE=8 -DRELEASE"
// A loop around a compare-exchange that begins with a guess, or with the result of a function, and not with a load of its own: three
// threads, 3! executions. An exchange that fails twice has failed once too often: the first time it might have found what it has found the second
// time. Not so if it is asked how often it was tried (5), what was found first (6), or if a round looks at something else (7). What a
// round reads by way of what the exchange has found is checked (8).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE
#define ADDED memory_order_acq_rel
#define FOUND memory_order_acquire
#else
#define ADDED memory_order_relaxed
#define FOUND memory_order_relaxed
#endif

static atomic_int x, y;
static int plain, results[3], cells[100];

static int fetch_twice_and_add(int n) {
  int old = 0;
#if SHAPE == 1
  while (!atomic_compare_exchange_strong_explicit(&x, &old, 2 * old + n, ADDED, FOUND)) {
  }
#elif SHAPE == 2
  while (!atomic_compare_exchange_weak_explicit(&x, &old, 2 * old + n, ADDED, FOUND)) {
  }
#elif SHAPE == 3
  int found;
  while ((found = __sync_val_compare_and_swap(&plain, old, 2 * old + n)) != old) old = found;
#elif SHAPE == 4
  for (;;) {
    const int found = __sync_val_compare_and_swap(&plain, old, 2 * old + n);
    if (found == old) return old;
    old = found;
  }
#elif SHAPE == 5
  int tries = 1;
  while (!atomic_compare_exchange_strong_explicit(&x, &old, 2 * old + n, ADDED, FOUND)) tries++;
  assert(tries < 3);  // @tries
#elif SHAPE == 6
  int first = 0;
  while (!atomic_compare_exchange_strong_explicit(&x, &old, 2 * old + n, ADDED, FOUND)) {
    if (first == 0) first = old;
  }
  assert(first == old);  // @first
#elif SHAPE == 7
  int seen = 0;
  while (!atomic_compare_exchange_strong_explicit(&x, &old, 2 * old + n, ADDED, FOUND)) {
    if (atomic_load_explicit(&y, memory_order_relaxed)) seen = old;
  }
  assert(seen == 0);  // @seen
  atomic_store_explicit(&y, 1, memory_order_relaxed);
#elif SHAPE == 8
  cells[n] = n;  // @write
  int sum = 0;
  while (!atomic_compare_exchange_strong_explicit(&x, &old, n, ADDED, FOUND)) sum = cells[old];  // @read
  return sum;
#endif
  return old;
}

static void *worker(void *argument) {
  int *result = argument;
  *result = fetch_twice_and_add(1 + (int)(result - results));
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, worker, &results[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
