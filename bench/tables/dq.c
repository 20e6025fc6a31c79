// DQ/211-2-1: a deque after D. Chase and Y. Lev (2005), with a client after C. Pulte et al., "Promising-ARM/RISC-V"
// (2019; M. Kokologiannakis' thesis, table 10.5). The digits are what each thread does: the owner pushes two, takes one
// and pushes one more; a thief tries to steal twice, another once. The orders are weaker than those of chase_lev.c.
// -DOPT: the owner acquires nothing, which makes no difference to the number of executions.
//
// Pushing releases by its store. A thief that reads the store of take() instead synchronizes with the push before it
// under rc11, and does not under rc20, whose release sequences have no such stores: 1,432 and 1,924 executions.
#include <stdatomic.h>
#include <stddef.h>

#include "../native/threads.h"

#ifdef OPT
#define PUSH_LOAD memory_order_relaxed
#define TAKE_SUCCESS memory_order_release
#define TAKE_FAILURE memory_order_relaxed
#else
#define PUSH_LOAD memory_order_acquire
#define TAKE_SUCCESS memory_order_acq_rel
#define TAKE_FAILURE memory_order_acquire
#endif
#define CAPACITY 10

static atomic_size_t top, bottom;
static atomic_int items[CAPACITY];

static void push(int item) {
  size_t b = atomic_load_explicit(&bottom, memory_order_relaxed);
  size_t t = atomic_load_explicit(&top, PUSH_LOAD);
  if (b - t == CAPACITY) return;
  atomic_store_explicit(&items[b % CAPACITY], item, memory_order_relaxed);
  atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

static void take(void) {
  size_t b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&bottom, b - 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  size_t t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t < b) {
    atomic_load_explicit(&items[(b - 1) % CAPACITY], memory_order_relaxed);
    if (t + 1 < b) return;
    // The last one, which a thief may want as well.
    atomic_compare_exchange_strong_explicit(&top, &t, t + 1, TAKE_SUCCESS, TAKE_FAILURE);
  }
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
}

static void steal(void) {
  size_t t = atomic_load_explicit(&top, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  size_t b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b) return;
  atomic_load_explicit(&items[t % CAPACITY], memory_order_relaxed);
  atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_release, memory_order_relaxed);
}

static void *owner(void *unused) {
  push(1);
  push(2);
  take();
  push(4);
  return unused;
}

static void *thief(void *argument) {
  for (int i = 0; i < (int)(intptr_t)argument; i++) steal();
  return 0;
}

int main(void) {
  start(owner, 0);
  start(thief, 2);
  start(thief, 1);
  return 0;
}
