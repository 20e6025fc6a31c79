// lockinc with a plain counter: each of N threads takes a lock and adds one; N! executions, 5,040 for N=7.
#include "threads.h"

#ifndef N
#define N 7
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *increment(void *unused) {
  pthread_mutex_lock(&lock);
  x = x + 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  for (int i = 0; i < N; i++) start(increment, i);
  return 0;
}
