// barrier(N), barrier2(N), barrier3(N): N threads meet ROUNDS times at a barrier (M. Kokologiannakis' thesis, table
// 10.9). The order of arrival makes no difference: 1 execution, 0 blocked.
#include "../native/threads.h"

#ifndef N
#define N 4
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_barrier_t barrier;

static void *meet(void *unused) {
  for (int round = 0; round < ROUNDS; round++) pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, N);
  for (int i = 0; i < N; i++) start(meet, i);
  return 0;
}
