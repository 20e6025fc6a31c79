//! sc,rc20: verified executions=4
// A compare-exchange of 16 bytes, and increments of its halves: it is before both of them, or fails, with the one it
// read or with both.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic __int128 whole;
  struct {
    _Atomic uint64_t low, high;
  } part;
} pair;

static void *add_low(void *unused) {
  atomic_fetch_add_explicit(&pair.part.low, 1, memory_order_relaxed);
  return unused;
}
static void *add_high(void *unused) {
  atomic_fetch_add_explicit(&pair.part.high, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t low, high;
  pthread_create(&low, 0, add_low, 0);
  pthread_create(&high, 0, add_high, 0);
  __int128 expected = 0;
  const int done = atomic_compare_exchange_strong(&pair.whole, &expected, (__int128)5 << 64 | 5);
  pthread_join(low, 0);
  pthread_join(high, 0);
  const uint64_t l = atomic_load(&pair.part.low), h = atomic_load(&pair.part.high);
  assert(done ? l == 6 && h == 6 : l == 1 && h == 1);
  assert(done || expected == 1 || expected == (__int128)1 << 64 || expected == ((__int128)1 << 64 | 1));
}
