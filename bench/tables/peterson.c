// peterson(N): two threads enter a critical section N times each, by G. L. Peterson's algorithm (1981), all seq_cst
// (M. Kokologiannakis' thesis, tables 10.3 and 10.14). 48, 588, 7,360 executions for N = 2, 3, 4. -DROUNDS_TO_WAIT=L:
// the loop that waits goes round at most L times, and each number of rounds is another execution.
#include <assert.h>
#include <heddle/heddle.h>
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
#ifdef ROUNDS_TO_WAIT
    for (int round = 1; wants[1 - self] && turn == 1 - self; round++) heddle_assume(round < ROUNDS_TO_WAIT);
#else
    while (wants[1 - self] && turn == 1 - self) {
    }
#endif
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
