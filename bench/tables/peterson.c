// peterson(N): two threads enter a critical section N times each, by G. L. Peterson's algorithm (1981), all seq_cst
// (M. Kokologiannakis' thesis, tables 10.3 and 10.14). 48, 588, 7,360 executions for N = 2, 3, 4.
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "../native/threads.h"

#ifndef N
#define N 1
#endif

static atomic_bool wants[2];
static atomic_int turn, x;

static void *enter(void *argument) {
  int self = (int)(intptr_t)argument;
  for (int i = 0; i < N; i++) {
    wants[self] = true;
    turn = 1 - self;
    while (wants[1 - self] && turn == 1 - self) {
    }
    x = self;
    assert(x == self);
    wants[self] = false;
  }
  return 0;
}

int main(void) {
  start(enter, 0);
  start(enter, 1);
  return 0;
}
