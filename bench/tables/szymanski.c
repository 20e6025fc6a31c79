// szymanski(N): two threads enter a critical section N times each, by B. K. Szymanski's algorithm ("A simple solution
// to Lamport's concurrent programming problem with linear wait", 1988), all seq_cst (M. Kokologiannakis' thesis,
// tables 10.3, 10.13 and 10.14). 6, 78, 1,068 executions for N = 1, 2, 3.
#include <assert.h>
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 1
#endif

static atomic_int flag[2];
static atomic_int x;

static void enter(int self) {
  atomic_int *mine = &flag[self], *other = &flag[1 - self];
  *mine = 1;
  while (*other >= 3) {
  }
  *mine = 3;
  if (*other == 1) {
    *mine = 2;
    while (*other != 4) {
    }
  }
  *mine = 4;
  while (*other >= 2) {
  }
  x = self;
  assert(x == self);
  for (;;) {
    int state = *other;
    if (state < 2 || state > 3) break;
  }
  *mine = 0;
}
static void *run(void *argument) {
  for (int i = 0; i < N; i++) enter((int)(intptr_t)argument);
  return 0;
}
int main(void) {
  start(run, 0);
  start(run, 1);
  return 0;
}
