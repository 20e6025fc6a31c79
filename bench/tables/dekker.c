// dekker_f(N): two threads enter a critical section N times each, by T. J. Dekker's algorithm, all seq_cst (M.
// Kokologiannakis' thesis, table 10.14). 71, 1,344, 26,797 executions for N = 2, 3, 4. -DFENCES: once, with relaxed
// accesses and fences, is on CDSChecker's list (B. Norris and B. Demsky, 2016).
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "../native/threads.h"

#ifndef N
#define N 1
#endif

static atomic_bool wants[2];
static atomic_int turn;
static int shared;

// Seq_cst accesses, or with -DFENCES relaxed ones and fences.
#ifdef FENCES
#define ACCESS memory_order_relaxed
#define FENCE(order) atomic_thread_fence(order)
#else
#define ACCESS memory_order_seq_cst
#define FENCE(order)
#endif

static void enter(int self) {
  atomic_store_explicit(&wants[self], true, ACCESS);
  FENCE(memory_order_seq_cst);
  while (atomic_load_explicit(&wants[1 - self], ACCESS)) {
    if (atomic_load_explicit(&turn, ACCESS) != self) {
      atomic_store_explicit(&wants[self], false, ACCESS);
      while (atomic_load_explicit(&turn, ACCESS) != self) {
      }
      atomic_store_explicit(&wants[self], true, ACCESS);
      FENCE(memory_order_seq_cst);
    }
  }
  FENCE(memory_order_acquire);
  shared = self;
  assert(shared == self);
  FENCE(memory_order_release);
  atomic_store_explicit(&turn, 1 - self, ACCESS);
  atomic_store_explicit(&wants[self], false, ACCESS);
}

static void *run(void *argument) {
  for (int i = 0; i < N; i++) enter((int)(intptr_t)argument);
  return 0;
}

int main(void) {
  start(run, 0);
  start(run, 1);
  return 0;
}
