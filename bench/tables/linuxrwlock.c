// linuxrwlock(N): a reader-writer lock as Linux has it: a count of free units, of which a reader takes one and a
// writer all, and gives them back if that was too many. One thread reads, one writes, N - 2 read and then write (M.
// Kokologiannakis' thesis, table 10.11, which does not print the client; this one has its counts, 24 and 1,060, where
// a round in which a thread takes units and gives them back is not explored). CDSChecker's test (B. Norris and B.
// Demsky, 2016) are two threads that do both.
#include <assert.h>
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif
#ifndef READERS
#define READERS 1
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef BOTH
#define BOTH (N - 2)
#endif
#define WRITER 0x100000

static atomic_int free_units = WRITER;
static int shared;

static void read_lock(void) {
  int before = atomic_fetch_sub_explicit(&free_units, 1, memory_order_acquire);
  while (before <= 0) {
    atomic_fetch_add_explicit(&free_units, 1, memory_order_relaxed);
    while (atomic_load_explicit(&free_units, memory_order_relaxed) <= 0) {
    }
    before = atomic_fetch_sub_explicit(&free_units, 1, memory_order_acquire);
  }
}

static void read_unlock(void) { atomic_fetch_add_explicit(&free_units, 1, memory_order_release); }

static void write_lock(void) {
  int before = atomic_fetch_sub_explicit(&free_units, WRITER, memory_order_acquire);
  while (before != WRITER) {
    atomic_fetch_add_explicit(&free_units, WRITER, memory_order_relaxed);
    while (atomic_load_explicit(&free_units, memory_order_relaxed) != WRITER) {
    }
    before = atomic_fetch_sub_explicit(&free_units, WRITER, memory_order_acquire);
  }
}

static void write_unlock(void) { atomic_fetch_add_explicit(&free_units, WRITER, memory_order_release); }

static void *reader(void *unused) {
  read_lock();
  (void)*(volatile int *)&shared;
  read_unlock();
  return unused;
}

static void *writer(void *argument) {
  int self = (int)(intptr_t)argument;
  write_lock();
  shared = self;
  assert(shared == self);
  write_unlock();
  return 0;
}

static void *both(void *argument) {
  reader(0);
  writer(argument);
  return 0;
}

int main(void) {
  for (int i = 0; i < READERS; i++) start(reader, 0);
  for (int i = 0; i < WRITERS; i++) start(writer, i);
  for (int i = 0; i < BOTH; i++) start(both, WRITERS + i);
  return 0;
}
