// twa-lock(N): N threads enter a critical section once each, under a ticket lock whose far-off waiters wait at slots
// of their own until it is nearly their turn (D. Dice and A. Kogan, "TWA - ticket locks augmented with a waiting
// array", 2019; M. Kokologiannakis' thesis, table 10.11). 72 and 2,880 executions for N = 3 and 4.
#include <assert.h>
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif
#define SLOTS 8
#define LONG_TERM 1

static atomic_uint ticket, grant, slots[SLOTS];
static int shared;

static unsigned await_change(atomic_uint *slot, unsigned seen) {
  unsigned now;
  do {
    now = atomic_load_explicit(slot, memory_order_acquire);
  } while (now == seen);
  return now;
}

static void await_short_term(unsigned self) {
  atomic_uint *slot = &slots[self % SLOTS];
  unsigned seen = atomic_load_explicit(slot, memory_order_acquire);
  while (self - atomic_load_explicit(&grant, memory_order_relaxed) > LONG_TERM) seen = await_change(slot, seen);
}

static void lock(void) {
  unsigned self = atomic_fetch_add_explicit(&ticket, 1, memory_order_relaxed);
  unsigned ahead = self - atomic_load_explicit(&grant, memory_order_acquire);
  if (ahead == 0) return;
  if (ahead > LONG_TERM) await_short_term(self);
  while (atomic_load_explicit(&grant, memory_order_acquire) != self) {
  }
}

static void unlock(void) {
  unsigned next = atomic_load_explicit(&grant, memory_order_relaxed) + 1;
  atomic_store_explicit(&grant, next, memory_order_release);
  atomic_fetch_add_explicit(&slots[(next + LONG_TERM) % SLOTS], 1, memory_order_release);
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
