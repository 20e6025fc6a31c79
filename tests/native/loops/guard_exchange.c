//! rc20: verified executions=1
//! sc: verified executions=1
//! tso: verified executions=1
//! rc20: verified executions=1 flags="--equivalence rf"
//! rc20: verified executions=1 flags="-- -DSHAPE=1"
//! rc20: verified executions=1 flags="-- -DSHAPE=2"
//! rc20: verified executions=1 flags="-- -DSHAPE=3"
//! rc20: verified executions=1 flags="-- -DSHAPE=4"
//! rc20: verified executions=1 flags="-- -DSHAPE=5"
//! rc20: verified executions=1 flags="-- -DSHAPE=6"
//! rc20: verified executions=1 flags="-- -DSHAPE=7"
//! sc: verified executions=1 flags="-- -DSHAPE=6"
//! rc20: verified executions=1 flags="--equivalence rf -- -DSHAPE=6"
//! rc20: verified executions=1 flags="-j 2 -- -DSHAPE=6"
//! rc20: error=assertion-failure line=@alone flags="-- -DSHARED"
//! rc20: error=assertion-failure line=@alone flags="-- -DSHARED -DSHAPE=1"
//! rc20: error=assertion-failure line=@both flags="--unroll 3 -- -DSHARED -DSHAPE=6"
//! rc20: error=assertion-failure line=@noticed flags="--unroll 3 -- -DNOTICED"
//! rc20: error=assertion-failure line=@noticed flags="--unroll 3 -- -DNOTICED -DSHAPE=6"
//! rc20: error=assertion-failure line=@noticed flags="--unroll 3 -- -DNOTICED -DSHAPE=7"
//! rc20: error=assertion-failure line=@left flags="--unroll 3 -- -DLEFT -DSHAPE=8"
//! rc20: error=assertion-failure line=@first flags="--unroll 3 -- -DFIRST -DSHAPE=6"
//! rc20: error=assertion-failure line=@updated flags="--unroll 3 -- -DUPDATED"
//! rc20: error=assertion-failure line=@left flags="--unroll 3 -- -DLEFT"
//! rc20: error=non-termination line=@error flags="-- -DNEVER"
// A debug build asks by a read-modify-write whether the thread is alone in a function, when it enters or (6) when it leaves. The
// round leaves what was there, so the loop waits. Two threads with one flag are an error, which is found (SHARED). The loop does not wait
// if another thread may see the flag come and go (NOTICED, UPDATED), or a round leaves another value (LEFT).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
#ifdef FIRST
static atomic_int busy[2] = {2, 2};  // the first round leaves another value
#else
static atomic_int busy[2];
#endif

#ifdef SHARED
#define FLAG busy[0]
#else
#define FLAG busy[i]
#endif

static int enter(long i) {
#if SHAPE == 2
  int none = 0;
  return !atomic_compare_exchange_strong(&FLAG, &none, 1);
#elif SHAPE == 3
  return atomic_fetch_or_explicit(&FLAG, 1, memory_order_relaxed);
#elif SHAPE == 4
  return atomic_fetch_add_explicit(&FLAG, 1, memory_order_acquire);
#elif SHAPE >= 6
  atomic_store_explicit(&FLAG, 1, memory_order_relaxed);
  return 0;
#else
  return atomic_exchange(&FLAG, 1);
#endif
}

static void leave(long i, int seen) {
  (void)seen;
#if SHAPE == 1
  atomic_store_explicit(&FLAG, 0, memory_order_release);
#elif SHAPE == 3
  atomic_fetch_and_explicit(&FLAG, ~1, memory_order_relaxed);
#elif SHAPE == 4
  atomic_fetch_sub_explicit(&FLAG, 1, memory_order_release);
#elif SHAPE == 5
  assert(atomic_exchange(&FLAG, 0) == 1);
#elif SHAPE == 6
  assert(atomic_exchange(&FLAG, 0) == 1);  // @both
#elif SHAPE == 7
  atomic_fetch_sub_explicit(&FLAG, 1, memory_order_relaxed);
#elif defined(LEFT)
  atomic_exchange(&FLAG, seen ? 0 : 2);
#else
  atomic_exchange(&FLAG, 0);
#endif
}

static void *waiter(void *number) {
  const long i = (long)number;
  for (;;) {  // @error
    const int inside = enter(i);
#if !defined(LEFT) && !defined(UPDATED)
    assert(!inside);  // @alone
#endif
    (void)inside;
    const int seen = atomic_load_explicit(&ready, memory_order_acquire);
    leave(i, seen);
    if (seen) break;
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, waiter, (void *)i);
#ifdef NOTICED
  const int one = atomic_load(&busy[0]), two = atomic_load(&busy[0]), three = atomic_load(&busy[0]);
  assert(!(one == 1 && two == 0 && three == 1));  // @noticed
#endif
#ifdef UPDATED
  const int one = atomic_fetch_or(&busy[0], 4);
  const int two = atomic_fetch_or(&busy[0], 4);
  assert(!(one == 1 && two == 1));  // @updated
#endif
#if defined(LEFT)
  assert(atomic_load(&busy[0]) != 2);  // @left
#elif defined(FIRST)
  assert(atomic_load(&busy[0]) != 0 || atomic_load(&busy[0]) != 1);  // @first
#endif
#ifndef NEVER
  atomic_store_explicit(&ready, 1, memory_order_release);
#endif
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
