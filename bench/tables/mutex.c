// mutex(N): N threads enter a critical section once each, under a mutex of one word: free, taken, or taken with
// waiters, who sleep (U. Drepper, "Futexes are tricky", 2004; M. Kokologiannakis' thesis, table 10.11). 12 and 7,086
// executions for N = 2 and 3.
#include <assert.h>
#include <stdatomic.h>

#include "../native/threads.h"
#include "futex.h"

#ifndef N
#define N 2
#endif

enum { FREE, TAKEN, WAITED_FOR };

static atomic_int state;
static int shared;

static int change(int from, int to, memory_order success, memory_order failure) {
  return atomic_compare_exchange_strong_explicit(&state, &from, to, success, failure);
}

static void lock(void) {
  if (change(FREE, TAKEN, memory_order_acquire, memory_order_acquire)) return;
  do {
    change(TAKEN, WAITED_FOR, memory_order_relaxed, memory_order_relaxed);
    sleep_while(&state, WAITED_FOR);
    // Who has slept cannot tell whether others still do.
  } while (!change(FREE, WAITED_FOR, memory_order_acquire, memory_order_acquire));
}

static void unlock(void) {
  if (change(TAKEN, FREE, memory_order_release, memory_order_relaxed)) return;
  atomic_store_explicit(&state, FREE, memory_order_release);
  wake_up();
}

static void *enter(void *argument) {
  int self = (int)(intptr_t)argument;
  lock();
  shared = self;
  assert(shared == self);
  unlock();
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) start(enter, i);
  return 0;
}
