// nwrites-loc(N): N threads write the same location once each (P. A. Abdulla et al., "Optimal stateless model
// checking under the release-acquire semantics", 2018; M. Kokologiannakis' thesis, table 10.2). N! executions, or 1
// by the reads-from equivalence.
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x;

static void *write_x(void *argument) {
  atomic_store_explicit(&x, (int)(intptr_t)argument, memory_order_relaxed);
  return 0;
}

int main(void) {
  for (int i = 1; i <= N; i++) start(write_x, i);
  return 0;
}
