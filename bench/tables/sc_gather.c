// sc-gather(N): N threads contribute two pieces each under a lock; another checks under the same lock, again and
// again, whether all have come (M. Kokologiannakis' thesis, table 10.11: "the check method" is a loop without net
// effect). (2N)! / 2^N executions, 90 and 2,520; with four rounds of the loop, 7,560 and 11,340 blocked, as the
// thesis counts without its optimisation.
#include <stdbool.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif
#define PIECES 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int gathered;

static void *work(void *unused) {
  for (int i = 0; i < PIECES; i++) {
    pthread_mutex_lock(&lock);
    gathered++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static bool all_gathered(void) {
  pthread_mutex_lock(&lock);
  bool all = gathered == N * PIECES;
  pthread_mutex_unlock(&lock);
  return all;
}

int main(void) {
  for (int i = 0; i < N; i++) start(work, i);
  while (!all_gathered()) {
  }
  return 0;
}
