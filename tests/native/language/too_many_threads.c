//! rc20: incomplete text="threads"
//! rc20: verified executions=1 flags="-- -DTHREADS=200"
// More threads than there is room for is a limit that is reported, not an error of the program and not a verdict.
#include <pthread.h>

#ifndef THREADS
#define THREADS 300
#endif

static void *work(void *unused) {
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  return 0;
}
