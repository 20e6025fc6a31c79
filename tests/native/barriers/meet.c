//! rc20: verified executions=1 blocked=0
//! sc: verified executions=1 blocked=0
//! tso: verified executions=1 blocked=0
//! rc20: verified executions=1 blocked=0 flags="-- -DN=6 -DROUNDS=3"
//! rc20: error=data-race line=@error flags="-- -DBUG"
// Each thread writes its own element, all meet, and each reads its neighbour's: in one execution, however often. BUG: the
// neighbour writes again without meeting.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_barrier_t barrier;
static int cells[N];

static void *work(void *number) {
  const int self = (int)(intptr_t)number;
  for (int round = 1; round <= ROUNDS; round++) {
    cells[self] = round;  // @error
    pthread_barrier_wait(&barrier);
    assert(cells[(self + 1) % N] == round);
#ifndef BUG
    pthread_barrier_wait(&barrier);
#endif
  }
  return 0;
}

int main(void) {
  pthread_t threads[N];
  pthread_barrier_init(&barrier, 0, N);
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, work, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  pthread_barrier_destroy(&barrier);
  return 0;
}
