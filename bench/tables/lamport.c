// lamport(N), lamport-sc(N): N threads enter a critical section once each, by L. Lamport's "A fast mutual exclusion
// algorithm" (1987), all seq_cst (M. Kokologiannakis' thesis, tables 10.3, 10.8, 10.13 and 10.14). 16 and 9,216
// executions for 2 and 3.
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "../native/threads.h"

#ifndef N
#define N 2
#endif

static atomic_bool wants[N + 1];
static atomic_int x, y;
static int shared;

static void lock(int self) {
  for (;;) {
    wants[self] = true;
    x = self;
    if (y != 0) {
      wants[self] = false;
      while (y != 0) {
      }
      continue;
    }
    y = self;
    if (x == self) return;
    wants[self] = false;
    for (int other = 1; other <= N; other++) {
      while (wants[other]) {
      }
    }
    if (y == self) return;
    while (y != 0) {
    }
  }
}

static void unlock(int self) {
  y = 0;
  wants[self] = false;
}

static void *enter(void *argument) {
  int self = (int)(intptr_t)argument;
  lock(self);
  shared = self;
  assert(shared == self);
  unlock(self);
  return 0;
}

int main(void) {
  for (int i = 1; i <= N; i++) start(enter, i);
  return 0;
}
