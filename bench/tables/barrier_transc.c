// barrier-transc(N): the transitive closure of a relation as a fixpoint. N threads share the rows; in each round
// every thread extends its rows, all meet, every thread looks whether any row has changed, and all meet again (M.
// Kokologiannakis' thesis, table 10.10). 1 execution, 0 blocked.
#include <assert.h>
#include <stdbool.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif
#define SIZE 8

static pthread_barrier_t barrier;
static bool before[SIZE][SIZE], after[SIZE][SIZE];
static bool changed[N];

static void extend(int row, int self) {
  for (int column = 0; column < SIZE; column++) {
    bool reaches = before[row][column];
    for (int k = 0; k < SIZE && !reaches; k++) reaches = before[row][k] && before[k][column];
    if (reaches != before[row][column]) changed[self] = true;
    after[row][column] = reaches;
  }
}

static void *closure(void *argument) {
  int self = (int)(intptr_t)argument;
  for (bool again = true; again;) {
    changed[self] = false;
    for (int row = self; row < SIZE; row += N) extend(row, self);
    pthread_barrier_wait(&barrier);
    again = false;
    for (int i = 0; i < N; i++) again |= changed[i];
    for (int row = self; row < SIZE; row += N) {
      for (int column = 0; column < SIZE; column++) before[row][column] = after[row][column];
    }
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  for (int i = 0; i + 1 < SIZE; i++) before[i][i + 1] = true;
  pthread_barrier_init(&barrier, 0, N);
  pthread_t threads[N];
  for (int i = 0; i < N; i++) threads[i] = start(closure, i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) assert(before[i][j] == (i < j));
  }
  return 0;
}
