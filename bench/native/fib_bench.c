// fib_bench(N): two threads add two numbers into each other's, N times; N=5: 525,630 executions under rc11, 218,243
// under sc.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x = 1, y = 1;

static void *add_to_x(void *unused) {
  for (int i = 0; i < N; i++) {
    int a = atomic_load_explicit(&x, memory_order_acquire);
    int b = atomic_load_explicit(&y, memory_order_acquire);
    atomic_store_explicit(&x, a + b, memory_order_release);
  }
  return unused;
}

static void *add_to_y(void *unused) {
  for (int i = 0; i < N; i++) {
    int a = atomic_load_explicit(&x, memory_order_acquire);
    int b = atomic_load_explicit(&y, memory_order_acquire);
    atomic_store_explicit(&y, a + b, memory_order_release);
  }
  return unused;
}

static void *look(void *unused) {
  if (atomic_load_explicit(&x, memory_order_acquire) <= 144) (void)atomic_load_explicit(&y, memory_order_acquire);
  return unused;
}

int main(void) {
  start(add_to_x, 0);
  start(add_to_y, 0);
  start(look, 0);
  return 0;
}
