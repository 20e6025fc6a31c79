// The test-and-test-and-set lock: a thread looks until the lock seems free, and only then tries to take it (L.
// Rudolph and Z. Segall, "Dynamic decentralized cache schemes", 1984). It tries by a compare-exchange, which writes
// nothing if it fails; with -DEXCHANGE by an exchange, whose failed attempts are writes that others can see. An attempt
// that fails writes what is there already, and so none of them is explored; -DATTEMPTS=A explores each of at most A.
#ifndef HEDDLE_BENCH_TTASLOCK_H
#define HEDDLE_BENCH_TTASLOCK_H

#ifdef ATTEMPTS
#include <heddle/heddle.h>
#endif
#include <stdatomic.h>

static atomic_int taken;

static int try_lock(void) {
#ifdef EXCHANGE
  return atomic_exchange_explicit(&taken, 1, memory_order_acquire) == 0;
#else
  int free = 0;
  return atomic_compare_exchange_strong_explicit(&taken, &free, 1, memory_order_acquire, memory_order_relaxed);
#endif
}

static void lock(void) {
#ifdef ATTEMPTS
  for (int attempt = 1;; attempt++) {
    heddle_assume(attempt <= ATTEMPTS);
#else
  for (;;) {
#endif
    while (atomic_load_explicit(&taken, memory_order_relaxed) != 0) {}
    if (try_lock()) return;
  }
}

static void unlock(void) { atomic_store_explicit(&taken, 0, memory_order_release); }

#endif
