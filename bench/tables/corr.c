// CoRR: one thread writes x, another reads it twice, all relaxed (S. Singh et al., MoCA, table III). 3 executions.
#include <stdatomic.h>

#include "../native/threads.h"

static atomic_int x;

static void *write_x(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void *read_twice(void *unused) {
  atomic_load_explicit(&x, memory_order_relaxed);
  atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  start(write_x, 0);
  start(read_twice, 0);
  return 0;
}
