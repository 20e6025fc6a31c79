// seqlock(N), seqlock-atomic(N): a sequence lock whose data are atomic (H. Boehm, "Can seqlocks get along with
// programming language memory models?", 2012). N - 1 threads write once each, one reads (M. Kokologiannakis' thesis,
// tables 10.8 and 10.11; the TruSt paper, table 2). Neither prints the lock or who reads and writes.
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif
#ifndef READERS
#define READERS 1
#endif
#define WRITERS (N - READERS)

static atomic_int sequence, data;

static void write_data(int value) {
  for (;;) {
    int old = atomic_load_explicit(&sequence, memory_order_acquire);
    if (old % 2 == 1) continue;
    if (atomic_compare_exchange_strong_explicit(&sequence, &old, old + 1, memory_order_relaxed,
                                                memory_order_relaxed)) {
      break;
    }
  }
  atomic_store_explicit(&data, value, memory_order_release);
  atomic_fetch_add_explicit(&sequence, 1, memory_order_release);
}

static int read_data(void) {
  for (;;) {
    int old = atomic_load_explicit(&sequence, memory_order_acquire);
    if (old % 2 == 1) continue;
    int value = atomic_load_explicit(&data, memory_order_acquire);
    if (atomic_load_explicit(&sequence, memory_order_relaxed) == old) return value;
  }
}

static void *writer(void *argument) {
  write_data((int)(intptr_t)argument);
  return 0;
}

static void *reader(void *unused) {
  read_data();
  return unused;
}

int main(void) {
  for (int i = 0; i < WRITERS; i++) start(writer, i + 1);
  for (int i = 0; i < READERS; i++) start(reader, 0);
  return 0;
}
