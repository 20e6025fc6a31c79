// seqlock(N), seqlock-atomic(N): a sequence lock whose data are atomic (H. Boehm, "Can seqlocks get along with
// programming language memory models?", 2012). WRITERS threads write once, one reads, the others read and then write
// (M. Kokologiannakis' thesis, tables 10.8 and 10.11, and the TruSt paper, table 2, which do not print it; these
// clients have their counts: one writer for 3 to 5 threads, two for 6, and three for 7).
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif
#ifndef WRITERS
#define WRITERS 1
#endif

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

static void *both(void *argument) {
  read_data();
  write_data((int)(intptr_t)argument);
  return 0;
}

int main(void) {
  for (int i = 0; i < WRITERS; i++) start(writer, i + 1);
  start(reader, 0);
  for (int i = WRITERS + 1; i < N; i++) start(both, i);
  return 0;
}
