// sigma(N): main counts an index up and starts, after each step, a thread that uses the index as it then finds it; all
// seq_cst; 1 * 3 * 5 * ... * (2N-1) executions, 135,135 for N=7.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 7
#endif

static atomic_int position;
static atomic_int array[N + 1];

static void *mark(void *unused) {
  array[position] = 1;
  return unused;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    position = position + 1;
    start(mark, i);
  }
  return 0;
}
