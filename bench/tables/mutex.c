// mutex(N): N threads enter a critical section once each, under a mutex as a C library has it: free, taken, or taken
// with waiters, who sleep in the kernel until the word changes (M. Kokologiannakis' thesis, table 10.11: 12 and 7,086
// executions; mutex_musl of the TruSt paper, table 2: 361,296 for 3; neither prints it). Sleeping is a loop here that
// waits for the change.
#include <assert.h>
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 2
#endif

static atomic_int lock_word, waiters;
static int shared;

static int try_lock(void) {
  int free = 0;
  return atomic_compare_exchange_strong_explicit(&lock_word, &free, 1, memory_order_acquire, memory_order_relaxed);
}

static void sleep_while(atomic_int *word, int value) {
  while (atomic_load_explicit(word, memory_order_relaxed) == value) {
  }
}

static void lock(void) {
  if (try_lock()) return;
  while (!try_lock()) {
    atomic_fetch_add_explicit(&waiters, 1, memory_order_relaxed);
    int taken = 1;
    atomic_compare_exchange_strong_explicit(&lock_word, &taken, 2, memory_order_relaxed, memory_order_relaxed);
    sleep_while(&lock_word, 2);
    atomic_fetch_sub_explicit(&waiters, 1, memory_order_relaxed);
  }
}

static void unlock(void) {
  // Whether somebody has to be woken up; who sleeps here wakes up anyway.
  if (atomic_exchange_explicit(&lock_word, 0, memory_order_release) != 2) {
    atomic_load_explicit(&waiters, memory_order_relaxed);
  }
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
