//! rc20: verified executions=1 blocked=0 flags="-- -DSHAPE=1"
//! rc20: verified executions=1 blocked=0 flags="-- -DSHAPE=2"
//! rc20: verified executions=1 blocked=0 flags="-- -DSHAPE=3"
//! rc20: verified executions=1 blocked=1 flags="-- -DSHAPE=1 -DWEAK"
//! rc20: verified executions=2 blocked=0 flags="-- -DSHAPE=4"
//! sc: verified executions=1 blocked=0 flags="-- -DSHAPE=1"
//! rc20: error=assertion-failure line=@tries flags="--unroll 4 -- -DSHAPE=5"
//! rc20: error=non-termination line=@poll flags="-- -DSHAPE=1 -DNEVER"
//! rc20: error=data-race line=@put|@take flags="-- -DSHAPE=1 -DRELAXED"
// A function that tries to take something, and says in a bool whether it could: the thread that calls it until it has succeeded
// waits. Its result is a bool that is not initialised before it is returned from the loop inside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef WEAK
#define EXCHANGE atomic_compare_exchange_weak
#else
#define EXCHANGE atomic_compare_exchange_strong
#endif
#ifdef RELAXED
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

static atomic_int available, taken;
static int item;

static bool tryTake(void) {
  int place = atomic_load(&taken);
  for (;;) {
    const int left = atomic_load(&available) - place;
    if (left <= 0) return false;
    if (EXCHANGE(&taken, &place, place + 1)) return true;
  }
}

static void *put(void *unused) {
#ifndef NEVER
  item = 1;  // @put
  atomic_fetch_add_explicit(&available, 1, PUBLISH);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, put, 0);
#if SHAPE == 1
  while (!tryTake()) {  // @poll
  }
#elif SHAPE == 2
  bool done = false;
  while (!done) done = tryTake();
#elif SHAPE == 3
  for (;;) {
    if (tryTake()) break;
  }
#elif SHAPE == 4  // what is written twice is explored twice
  bool done = tryTake();
  while (!done) done = tryTake();
#else
  int tries = 0;
  while (!tryTake()) tries++;
  assert(tries < 2);  // @tries
#endif
  assert(item == 1);  // @take
  pthread_join(thread, 0);
  return 0;
}
