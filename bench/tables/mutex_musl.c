// mutex_musl(N): N threads enter a critical section once each, under a mutex like that of the C library musl: a word
// that is free, taken, or taken with waiters, and a count of the waiters. 493,692 executions for N = 3; the TruSt paper
// (2022, table 2) counts 361,296, which are those in which nobody tries more than three times: --unroll 3.
#include <assert.h>
#include <stdatomic.h>

#include "../native/threads.h"
#include "futex.h"

#ifndef N
#define N 2
#endif

enum { FREE, TAKEN, WAITED_FOR };

static atomic_int state, waiters;
static int shared;

static int try_lock(void) {
  int expected = FREE;
  return atomic_compare_exchange_strong_explicit(&state, &expected, TAKEN, memory_order_acquire, memory_order_acquire);
}

static void mark(void) {
  int expected = TAKEN;
  atomic_compare_exchange_strong_explicit(&state, &expected, WAITED_FOR, memory_order_relaxed, memory_order_relaxed);
}

static void lock(void) {
  if (try_lock()) return;
  while (!try_lock()) {
    atomic_fetch_add_explicit(&waiters, 1, memory_order_relaxed);
    mark();
    sleep_while(&state, WAITED_FOR);
    atomic_fetch_sub_explicit(&waiters, 1, memory_order_relaxed);
  }
}

static void unlock(void) {
  int before = atomic_exchange_explicit(&state, FREE, memory_order_release);
  if (atomic_load_explicit(&waiters, memory_order_relaxed) > 0 || before == WAITED_FOR) wake_up();
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
