// Barrier of CDSChecker's list (B. Norris and B. Demsky, "A practical approach for model checking C/C++11 code",
// 2016): a counter and a flag, all seq_cst; the threads that are not the last spin on the flag. N threads, with a
// plain access on either side. The paper counts 10 rf classes for two threads, each number of rounds of the loop
// apart.
#include <assert.h>
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 2
#endif

static atomic_int waiting;
static atomic_int open;
static int before[N];

static void meet(void) {
  if (atomic_fetch_add(&waiting, 1) == N - 1) {
    atomic_store(&open, 1);
  } else {
    while (!atomic_load(&open)) {
    }
  }
}

static void *work(void *argument) {
  int self = (int)(intptr_t)argument;
  before[self] = 1;
  meet();
  assert(before[(self + 1) % N] == 1);
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) start(work, i);
  return 0;
}
