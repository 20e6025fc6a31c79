//! sc: verified executions=3 blocked=0
//! tso: verified executions=4 blocked=0
//! ra: verified executions=4 blocked=0
//! rc20: verified executions=4 blocked=0
//! sc: verified executions=3 blocked=0 flags="-- -DFENCE=atomic_thread_fence(memory_order_seq_cst)"
//! rc20: verified executions=3 blocked=0 flags="-- -DFENCE=atomic_thread_fence(memory_order_seq_cst)"
//! tso: verified executions=3 blocked=0 flags="-- -DFENCE=atomic_thread_fence(memory_order_seq_cst)"
//! rc20: verified executions=4 blocked=0 flags="-- -DFENCE=atomic_thread_fence(memory_order_acq_rel)"
//! rc20: verified executions=4 blocked=0 flags="-- -DFENCE=atomic_signal_fence(memory_order_seq_cst)"
//! rc20: verified executions=3 blocked=0 flags="-- -DFENCE=__sync_synchronize()"
//! rc20: verified executions=4 blocked=0 flags="-- -DFENCE=__atomic_signal_fence(__ATOMIC_SEQ_CST)"
// Store buffering with one fence or another in between; the numbers are those of litmus SB+rlx, SB+scfences and
// SB+acqrelfences. A signal fence is none at all.
#include <pthread.h>
#include <stdatomic.h>

#ifndef FENCE
#define FENCE (void)0
#endif

static atomic_int x, y;

static void *left(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  FENCE;
  (void)atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *right(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  FENCE;
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, left, 0);
  pthread_create(&second, 0, right, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
