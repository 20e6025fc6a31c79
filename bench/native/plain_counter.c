// One thread adds one to a plain global N times: one execution. Time must be linear in N, and near that of native code.
#include "threads.h"

#ifndef N
#define N 10000000
#endif

static volatile long counter;

static void *count(void *unused) {
  for (long i = 0; i < N; i++) counter = counter + 1;
  return unused;
}

int main(void) {
  pthread_t thread = start(count, 0);
  pthread_join(thread, 0);
  return counter != N;
}
