//! rc20: verified executions=21
//! rc20: verified executions=21 flags="--stale 5"
//! rc20: bounded text="staleReads" flags="--stale 3"
//! rc20: verified executions=1 flags="-- -DSTAYS"
//! rc20: verified executions=1 flags="--stale 1 -- -DSTAYS"
// Five loads of what two writes overwrite: with that bound nothing is left out, and the number of executions is the same. A
// value that nobody overwrites may be read any number of times.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *unused) {
  (void)unused;
#ifndef STAYS
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  for (int i = 0; i < 5; i++) atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(thread, 0);
  return 0;
}
