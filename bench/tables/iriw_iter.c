// IRIW-iter: two threads write 1, ..., ROUNDS to x and to y; two read both, in opposite orders, and assume the last
// value of the first and the initial value of the second (M. Kokologiannakis' thesis, table 10.13, which does not
// print it). 1 execution.
#include <heddle/heddle.h>
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef ROUNDS
#define ROUNDS 42
#endif

static atomic_int x, y;

static void *write_x(void *unused) {
  for (int i = 1; i <= ROUNDS; i++) atomic_store_explicit(&x, i, memory_order_release);
  return unused;
}

static void *write_y(void *unused) {
  for (int i = 1; i <= ROUNDS; i++) atomic_store_explicit(&y, i, memory_order_release);
  return unused;
}

static void *read_xy(void *unused) {
  int a = atomic_load_explicit(&x, memory_order_acquire);
  heddle_assume(a == ROUNDS);
  int b = atomic_load_explicit(&y, memory_order_acquire);
  heddle_assume(b == 0);
  return unused;
}

static void *read_yx(void *unused) {
  int a = atomic_load_explicit(&y, memory_order_acquire);
  heddle_assume(a == ROUNDS);
  int b = atomic_load_explicit(&x, memory_order_acquire);
  heddle_assume(b == 0);
  return unused;
}

int main(void) {
  start(write_x, 0);
  start(write_y, 0);
  start(read_xy, 0);
  start(read_yx, 0);
  return 0;
}
