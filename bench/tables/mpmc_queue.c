// mpmc-queue(N): a bounded queue of several producers and consumers: positions to read and to write are claimed
// together in one word, and counts of finished reads and writes tell when a claimed cell can be used (the queue of
// CDSChecker's list, B. Norris and B. Demsky, 2016, after D. Vyukov). There is one element at first; one thread
// enqueues, one dequeues until it finds the queue empty, N - 2 do both. 166 and 40,206 executions for N = 3 and 4. The
// TruSt paper (table 2) and M. Kokologiannakis' thesis (tables 10.8 and 10.11) cut the loop that dequeues after so many
// rounds: --unroll 3 leaves 143 and 31,880, --unroll 4 leaves 166 and 39,706.
//
// -DENQUEUERS, -DDEQUEUERS and -DBOTH make other clients; -DEMPTY: nothing is in the queue at first; -DONCE: who
// dequeues does so once. CDSChecker's client is -DEMPTY -DONCE and two threads that do both.
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif
#ifndef ENQUEUERS
#define ENQUEUERS 1
#endif
#ifndef DEQUEUERS
#define DEQUEUERS 1
#endif
#ifndef BOTH
#define BOTH (N - 2)
#endif
#ifndef SIZE
#define SIZE 10
#endif

static atomic_int items[SIZE];
static atomic_uint positions;  // both positions: the reads in the upper half, the writes in the lower
static atomic_uint read_count, written_count;

// If others were faster, `seen` is what they have left.
static int claim(unsigned *seen, unsigned next) {
  return atomic_compare_exchange_strong_explicit(&positions, seen, next, memory_order_acq_rel, memory_order_acquire);
}

static atomic_int *begin_read(void) {
  unsigned both = atomic_load_explicit(&positions, memory_order_acquire);
  unsigned reads, writes;
  do {
    reads = both >> 16, writes = both & 0xffff;
    if (reads == writes) return NULL;
  } while (!claim(&both, both + (1u << 16)));
  while (atomic_load_explicit(&written_count, memory_order_acquire) != writes) {
  }
  return &items[reads % SIZE];
}

static void end_read(void) { atomic_fetch_add_explicit(&read_count, 1, memory_order_release); }

static atomic_int *begin_write(void) {
  unsigned both = atomic_load_explicit(&positions, memory_order_acquire);
  unsigned reads, writes;
  do {
    reads = both >> 16, writes = both & 0xffff;
    if (writes == reads + SIZE) return NULL;
  } while (!claim(&both, both + 1));
  while (atomic_load_explicit(&read_count, memory_order_acquire) != reads) {
  }
  return &items[writes % SIZE];
}

static void end_write(void) { atomic_fetch_add_explicit(&written_count, 1, memory_order_release); }

static void enqueue(int value) {
  atomic_int *slot = begin_write();
  assert(slot != NULL);
  atomic_store_explicit(slot, value, memory_order_relaxed);
  end_write();
}

static void dequeue(void) {
  atomic_int *slot;
  while ((slot = begin_read()) != NULL) {
    atomic_load_explicit(slot, memory_order_relaxed);
    end_read();
#ifdef ONCE
    break;
#endif
  }
}

static void *enqueuer(void *argument) {
  enqueue((int)(intptr_t)argument);
  return 0;
}

static void *dequeuer(void *unused) {
  dequeue();
  return unused;
}

static void *both(void *argument) {
  enqueue((int)(intptr_t)argument);
  dequeue();
  return 0;
}

int main(void) {
#ifndef EMPTY
  enqueue(100);
#endif
  for (int i = 0; i < ENQUEUERS; i++) start(enqueuer, i + 1);
  for (int i = 0; i < DEQUEUERS; i++) start(dequeuer, 0);
  for (int i = 0; i < BOTH; i++) start(both, i + 10);
  return 0;
}
