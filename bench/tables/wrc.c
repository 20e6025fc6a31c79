// WRC: one thread writes x, the next reads x and writes y, which depends on what it has read, the last reads y and then x, all
// relaxed (S. Singh et al., MoCA, table I). 7 executions where a write becomes visible to all threads at once, and 8 under rc11.
#include <stdatomic.h>

#include "../native/threads.h"

static atomic_int x, y;

static void *write_x(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void *pass_on(void *unused) {
  const int seen = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1 + (seen ^ seen), memory_order_relaxed);
  return unused;
}

static void *read_both(void *unused) {
  atomic_load_explicit(&y, memory_order_relaxed);
  atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  start(write_x, 0);
  start(pass_on, 0);
  start(read_both, 0);
  return 0;
}
