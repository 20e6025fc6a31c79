// mcslock(N), mcs_spinlock(N): N threads enter a critical section ROUNDS times each, under the queue lock of J. M.
// Mellor-Crummey and M. L. Scott, "Algorithms for scalable synchronization" (1991). The thesis of M. Kokologiannakis
// counts 66 and 1,080 executions for 3 and 4 threads (table 10.11). The TruSt paper (2022, table 2) counts 15,264 and
// 964,320 for 4 and 5, which is the same program with the loop that waits for a successor cut after four rounds:
// -DROUNDS_TO_WAIT=4. ROUNDS=2 and N=2 is CDSChecker's test (B. Norris and B. Demsky, 2016).
#include <assert.h>
#include <heddle/heddle.h>
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

struct node {
  _Atomic(struct node *) next;
  atomic_int waiting;
};

static _Atomic(struct node *) tail;
static struct node nodes[N];
static int shared;

static void lock(struct node *self) {
  atomic_store_explicit(&self->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&self->waiting, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, self, memory_order_acq_rel);
  if (before == NULL) return;
  atomic_store_explicit(&before->next, self, memory_order_release);
  while (atomic_load_explicit(&self->waiting, memory_order_acquire)) {
  }
}

static void unlock(struct node *self) {
  struct node *next = atomic_load_explicit(&self->next, memory_order_acquire);
  if (next == NULL) {
    struct node *last = self;
    if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_release, memory_order_relaxed)) return;
#ifdef ROUNDS_TO_WAIT
    for (int i = 0; next == NULL; i++) {
      heddle_assume(i < ROUNDS_TO_WAIT);
      next = atomic_load_explicit(&self->next, memory_order_acquire);
    }
#else
    while ((next = atomic_load_explicit(&self->next, memory_order_acquire)) == NULL) {
    }
#endif
  }
  atomic_store_explicit(&next->waiting, 0, memory_order_release);
}

static void *enter(void *argument) {
  int self = (int)(intptr_t)argument;
  for (int i = 0; i < ROUNDS; i++) {
    lock(&nodes[self]);
    shared = self;
    assert(shared == self);
    unlock(&nodes[self]);
  }
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) start(enter, i);
  return 0;
}
