// WRR+2W: one thread writes x, the next reads x and then y, the last writes y and then x, all relaxed (S. Singh et al., MoCA,
// table III). 12 executions.
#include <stdatomic.h>

#include "../native/threads.h"

static atomic_int x, y;

static void *write_x(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void *read_both(void *unused) {
  atomic_load_explicit(&x, memory_order_relaxed);
  atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *write_both(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  start(write_x, 0);
  start(read_both, 0);
  start(write_both, 0);
  return 0;
}
