//! rc20: verified executions=6
//! sc: verified executions=6
//! tso: verified executions=6
//! rc20: verified executions=6 flags="--equivalence rf"
//! rc20: verified executions=6 flags="-- -DSHAPE=1"
//! rc20: verified executions=6 flags="-- -DSHAPE=2"
//! rc20: error=data-race line=@error flags="-- -DORDER=memory_order_relaxed"
//! rc20: error=assertion-failure line=@counter flags="-- -DLEAVE"
//! rc20: error=non-termination line=@error-2 flags="-- -DKEEP"
//! rc20: bounded text="can be noticed" flags="--unroll 1 -- -DLOOK"
// A lock that is taken by trying: an attempt that fails takes back what it has added. Nobody sees it, so that the thread
// may as well wait, and three threads give 3! executions. LOOK: somebody might see it.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_acquire
#endif

static atomic_int lock;
static int data;

static void take(void) {
#if SHAPE == 1
  int before = atomic_fetch_add_explicit(&lock, 1, ORDER);
  while (before != 0) {
    atomic_fetch_sub_explicit(&lock, 1, memory_order_relaxed);
    while (atomic_load_explicit(&lock, memory_order_relaxed) != 0) sched_yield();
    before = atomic_fetch_add_explicit(&lock, 1, ORDER);
  }
#elif SHAPE == 2
  while (__atomic_add_fetch((int *)&lock, 1, __ATOMIC_ACQUIRE) != 1) {
    __atomic_fetch_add((int *)&lock, -1, __ATOMIC_RELAXED);
    __builtin_ia32_pause();
  }
#else
  for (;;) {
    if (atomic_fetch_add_explicit(&lock, 1, ORDER) == 0) break;  // @error-2
    atomic_fetch_add_explicit(&lock, -1, memory_order_relaxed);
  }
#endif
}

static void release(void) { atomic_fetch_sub_explicit(&lock, 1, memory_order_release); }

static void *work(void *unused) {
  take();
  data++;  // @error
#ifndef KEEP
  release();
#endif
  return unused;
}

int main(void) {
  atomic_store(&lock, 0);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, 0);
#ifdef LOOK
  atomic_load_explicit(&lock, memory_order_relaxed);
#endif
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(data == 3);
#ifdef LEAVE
  release();
#endif
  assert(atomic_load(&lock) == 0);  // @counter
  return 0;
}
