//! rc20,sc: verified executions=3 blocked=0
//! rc20,sc: verified executions=4 blocked=0 flags="-- -DWEAK"
//! rc20,sc: verified executions=3 blocked=0 flags="-- -DROUNDS=1000"
//! rc20: error=assertion-failure line=@knows flags="-- -DROUNDS=1 -DWATCH"
//! rc20: error=assertion-failure line=@knows flags="-- -DROUNDS=3 -DWATCH"
// A lock that is looked at, tried, and given up after some rounds. WATCH: the one that gives up does not know what the owner has
// done, however often it has looked.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 3
#endif
#ifdef WEAK
#define EXCHANGE atomic_compare_exchange_weak_explicit
#else
#define EXCHANGE atomic_compare_exchange_strong_explicit
#endif

static atomic_int taken, done;

static int try(void) {
  for (int i = 0; i < ROUNDS; i++) {
    int free = 0;
    if (atomic_load_explicit(&taken, memory_order_relaxed) == 0 &&
        EXCHANGE(&taken, &free, 1, memory_order_acquire, memory_order_relaxed)) {
      return 1;
    }
  }
  return 0;
}

static void *owner(void *unused) {
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  atomic_store_explicit(&taken, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, owner, 0);
  const int got = try();
#ifdef WATCH
  assert(got || atomic_load_explicit(&done, memory_order_relaxed));  // @knows
#else
  (void)got;
#endif
  pthread_join(thread, 0);
  return 0;
}
