// qspinlock(N): N threads enter a critical section once each, under Linux's queued spinlock: a word with a bit for
// the owner, one for the next, and the tail of a queue of all others (M. Kokologiannakis' thesis, table 10.11, which
// does not print it). 6 executions for two threads, as published, and nearly as many as published for three.
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

#include "../native/threads.h"

#ifndef N
#define N 2
#endif
#define LOCKED 0x1u
#define PENDING 0x100u
#define TAIL_SHIFT 16
#define TAIL_MASK (~0u << TAIL_SHIFT)

struct node {
  _Atomic(struct node *) next;
  atomic_int ready;
};

static atomic_uint word;
static struct node nodes[N];
static int shared;

// Waits until the bits are clear and gives the word.
static unsigned await_clear(unsigned bits) {
  unsigned seen;
  do {
    seen = atomic_load_explicit(&word, memory_order_acquire);
  } while (seen & bits);
  return seen;
}

static unsigned exchange_tail(unsigned tail) {
  for (;;) {
    unsigned old = atomic_load_explicit(&word, memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&word, &old, (old & ~TAIL_MASK) | tail, memory_order_acq_rel,
                                                memory_order_relaxed)) {
      return old & TAIL_MASK;
    }
  }
}

static void lock_queued(int self) {
  struct node *mine = &nodes[self];
  unsigned tail = (unsigned)(self + 1) << TAIL_SHIFT;
  atomic_store_explicit(&mine->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&mine->ready, 0, memory_order_relaxed);
  unsigned before = exchange_tail(tail);
  if (before != 0) {
    atomic_store_explicit(&nodes[(before >> TAIL_SHIFT) - 1].next, mine, memory_order_release);
    while (!atomic_load_explicit(&mine->ready, memory_order_acquire)) {
    }
  }
  unsigned seen = await_clear(LOCKED | PENDING);
  if ((seen & TAIL_MASK) == tail &&
      atomic_compare_exchange_strong_explicit(&word, &seen, LOCKED, memory_order_relaxed, memory_order_relaxed)) {
    return;
  }
  atomic_fetch_or_explicit(&word, LOCKED, memory_order_relaxed);
  struct node *next;
  while ((next = atomic_load_explicit(&mine->next, memory_order_relaxed)) == NULL) {
  }
  atomic_store_explicit(&next->ready, 1, memory_order_release);
}

static void lock(int self) {
  unsigned seen = 0;
  if (atomic_compare_exchange_strong_explicit(&word, &seen, LOCKED, memory_order_acquire, memory_order_relaxed)) return;
  if (seen & ~LOCKED) {
    lock_queued(self);
    return;
  }
  seen = atomic_fetch_or_explicit(&word, PENDING, memory_order_acquire);
  if (seen & ~LOCKED) {
    if (!(seen & PENDING)) atomic_fetch_and_explicit(&word, ~PENDING, memory_order_relaxed);
    lock_queued(self);
    return;
  }
  if (seen & LOCKED) await_clear(LOCKED);
  atomic_fetch_add_explicit(&word, LOCKED - PENDING, memory_order_relaxed);
}

static void unlock(void) { atomic_fetch_sub_explicit(&word, LOCKED, memory_order_release); }

static void *enter(void *argument) {
  int self = (int)(intptr_t)argument;
  lock(self);
  shared = self;
  assert(shared == self);
  unlock();
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) start(enter, i);
  return 0;
}
