// nwrites(N): N threads write N different locations (M. Kokologiannakis' thesis, table 10.2). 1 execution.
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 5
#endif

static atomic_int cells[N];

static void *write_cell(void *argument) {
  atomic_store_explicit(&cells[(intptr_t)argument], 1, memory_order_relaxed);
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) start(write_cell, i);
  return 0;
}
