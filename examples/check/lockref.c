//! rc20: verified executions=84
//! sc: verified executions=84
//! tso: verified executions=84
//! rc20: error=assertion-failure line=@counted flags="-- -DBUG"
//! why: An interleaving of the threads, the one above, leads there: it is no matter of memory orders.
//
// Linux's lockref: a spinlock and a reference count in one word of 8 bytes, so that a reference can be taken without the
// lock, by compare-exchange of the whole word, as long as the lock is free. J. Corbet, "Introducing lockrefs" (LWN 2013);
// as a client of a model checker in I. Marmanis, M. Kokologiannakis and V. Vafeiadis, "Model Checking C/C++ with
// Mixed-Size Accesses" (POPL 2025). The lock and the count are accessed by themselves too, so sizes are mixed.
//
// THREADS: one takes the lock and releases it, the others get a reference each.
//
// BUG: the fast path looks whether the lock is free, and then compares and exchanges the count alone. The lock may have been
// taken in between: the count changes between the two accesses of a thread that has the lock, and a reference is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 3
#endif

struct parts {
  atomic_uint lock;
  atomic_uint count;
};

union lockref {
  _Atomic uint64_t lock_count;
  struct parts parts;
};

static void spin_lock(atomic_uint *lock) {
  unsigned expected = 0;
  while (!atomic_compare_exchange_strong_explicit(lock, &expected, 1, memory_order_acquire, memory_order_relaxed)) {
    expected = 0;
  }
}

static void spin_unlock(atomic_uint *lock) { atomic_store_explicit(lock, 0, memory_order_release); }

static int is_free(uint64_t word) { return (uint32_t)word == 0; }

static int add_reference(union lockref *ref, uint64_t *old) {
#ifdef BUG
  unsigned count = (unsigned)(*old >> 32);
  const int added = atomic_compare_exchange_strong_explicit(&ref->parts.count, &count, count + 1, memory_order_relaxed,
                                                            memory_order_relaxed);
  *old = (uint64_t)count << 32;
  return added;
#else
  const uint64_t one = (uint64_t)1 << 32;
  return atomic_compare_exchange_strong_explicit(&ref->lock_count, old, *old + one, memory_order_relaxed,
                                                 memory_order_relaxed);
#endif
}

static void lockref_get(union lockref *ref) {
  uint64_t old = atomic_load_explicit(&ref->lock_count, memory_order_relaxed);
  for (int attempt = 0; attempt < THREADS && is_free(old); attempt++) {
    if (add_reference(ref, &old)) return;
  }
  spin_lock(&ref->parts.lock);
  const unsigned count = atomic_load_explicit(&ref->parts.count, memory_order_relaxed);
  atomic_store_explicit(&ref->parts.count, count + 1, memory_order_relaxed);
  spin_unlock(&ref->parts.lock);
}

static union lockref ref;

static void *get(void *unused) {
  lockref_get(&ref);
  return unused;
}

int main(void) {
  pthread_t threads[THREADS - 1];
  for (int i = 0; i < THREADS - 1; i++) pthread_create(&threads[i], 0, get, 0);
  spin_lock(&ref.parts.lock);
  spin_unlock(&ref.parts.lock);
  for (int i = 0; i < THREADS - 1; i++) pthread_join(threads[i], 0);
  assert(atomic_load_explicit(&ref.parts.count, memory_order_relaxed) == THREADS - 1);  // @counted
}
