// assume-exp(N): one thread writes 1, ..., 42 to x; another reads x once and assumes the last of these values. Beside
// them one thread writes y N times and eight threads read it once each (M. Kokologiannakis' thesis, table 10.13; the
// text gives the first half, and the second fits the counts). (N+1)^8 executions, 0 blocked: an assumption that fails
// would multiply by 42.
#include <heddle/heddle.h>
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 2
#endif

static atomic_int x, y;

static void *count(void *unused) {
  for (int i = 1; i <= 42; i++) atomic_store_explicit(&x, i, memory_order_relaxed);
  return unused;
}

static void *await(void *unused) {
  int rest = atomic_load_explicit(&x, memory_order_relaxed) - 42;
  heddle_assume(rest == 0);
  return unused;
}

static void *write_y(void *unused) {
  for (int i = 1; i <= N; i++) atomic_store_explicit(&y, i, memory_order_relaxed);
  return unused;
}

static void *read_y(void *unused) {
  atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

int main(void) {
  start(count, 0);
  start(await, 0);
  start(write_y, 0);
  for (int i = 0; i < 8; i++) start(read_y, i);
  return 0;
}
