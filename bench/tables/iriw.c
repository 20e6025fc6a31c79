// IRIW: two threads write x and y, two read both in opposite orders, all relaxed (S. Singh et al., MoCA, table I). 15
// executions where a write becomes visible to all threads at once, and 16 under rc11.
#include <stdatomic.h>

#include "../native/threads.h"

static atomic_int x, y;

static void *write_x(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void *write_y(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void *read_xy(void *unused) {
  atomic_load_explicit(&x, memory_order_relaxed);
  atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *read_yx(void *unused) {
  atomic_load_explicit(&y, memory_order_relaxed);
  atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  start(write_x, 0);
  start(write_y, 0);
  start(read_xy, 0);
  start(read_yx, 0);
  return 0;
}
