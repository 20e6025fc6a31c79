// What a program sees of Linux's futex: a thread sleeps if the word is still what it expects, until somebody wakes
// sleepers up. A count of wake-ups stands for the kernel: a sleeper waits until it changes, so that one wake-up wakes
// all who sleep.
#ifndef HEDDLE_BENCH_FUTEX_H
#define HEDDLE_BENCH_FUTEX_H

#include <stdatomic.h>

static atomic_int wake_ups;

static void sleep_while(atomic_int* word, int value) {
  int before = atomic_load_explicit(&wake_ups, memory_order_acquire);
  if (atomic_load_explicit(word, memory_order_acquire) != value) return;
  while (atomic_load_explicit(&wake_ups, memory_order_acquire) == before) {}
}

static void wake_up(void) { atomic_fetch_add_explicit(&wake_ups, 1, memory_order_release); }

#endif
