// chase-lev(N): the deque of D. Chase and Y. Lev (2005), with the C11 orders of N. M. Le et al., "Correct and
// efficient work-stealing for weak memory models" (2013), without growing. The owner pushes PUSHES elements and takes
// TAKES; each thief steals once and tries again if it is beaten (M. Kokologiannakis' thesis, table 10.11, which
// prints neither client nor sizes). -DONCE: a thief that is beaten gives up. CDSChecker's test (B. Norris and B.
// Demsky, 2016): 3 pushes, 2 takes, one thief.
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

#include "../native/threads.h"

#ifndef N
#define N 4
#endif
#ifndef PUSHES
#define PUSHES 3
#endif
#ifndef TAKES
#define TAKES 1
#endif
#ifndef THIEVES
#define THIEVES (N - 1)
#endif
#define CAPACITY 16
#define EMPTY (-1)

static atomic_size_t top = 1, bottom = 1;
static atomic_int items[CAPACITY];

static void push(int item) {
  size_t b = atomic_load_explicit(&bottom, memory_order_relaxed);
  size_t t = atomic_load_explicit(&top, memory_order_acquire);
  assert(b - t < CAPACITY);
  atomic_store_explicit(&items[b % CAPACITY], item, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void) {
  size_t b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  size_t t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return EMPTY;
  }
  int item = atomic_load_explicit(&items[b % CAPACITY], memory_order_relaxed);
  if (t == b) {
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) {
      item = EMPTY;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  }
  return item;
}

static int steal(void) {
  for (;;) {
    size_t t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    size_t b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b) return EMPTY;
    int item = atomic_load_explicit(&items[t % CAPACITY], memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) {
      return item;
    }
#ifdef ONCE
    return EMPTY;
#endif
  }
}

static void *thief(void *unused) {
  steal();
  return unused;
}

static void *owner(void *unused) {
  for (int i = 0; i < PUSHES; i++) push(i);
  for (int i = 0; i < TAKES; i++) take();
  return unused;
}

int main(void) {
  start(owner, 0);
  for (int i = 0; i < THIEVES; i++) start(thief, i);
  return 0;
}
