// fib_bench(N): two threads add two numbers into each other's, N times; N=5: 525,630 executions under rc11, 218,243
// under sc, and with -DSEQ_CST also under rc11.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

#ifdef SEQ_CST
#define LOAD memory_order_seq_cst
#define STORE memory_order_seq_cst
#else
#define LOAD memory_order_acquire
#define STORE memory_order_release
#endif

static atomic_int x = 1, y = 1;

static void *add_to_x(void *unused) {
  for (int i = 0; i < N; i++) {
    int a = atomic_load_explicit(&x, LOAD);
    int b = atomic_load_explicit(&y, LOAD);
    atomic_store_explicit(&x, a + b, STORE);
  }
  return unused;
}

static void *add_to_y(void *unused) {
  for (int i = 0; i < N; i++) {
    int a = atomic_load_explicit(&x, LOAD);
    int b = atomic_load_explicit(&y, LOAD);
    atomic_store_explicit(&y, a + b, STORE);
  }
  return unused;
}

static void *look(void *unused) {
  if (atomic_load_explicit(&x, LOAD) <= 144) (void)atomic_load_explicit(&y, LOAD);
  return unused;
}

int main(void) {
  start(add_to_x, 0);
  start(add_to_y, 0);
  start(look, 0);
  return 0;
}
