//! rc20: error=deadlock line=@wait|@join
//! rc20: error=deadlock line=@wait|@join flags="-- -DTHREADS=1"
//! rc20: verified executions=1 flags="-- -DTHREADS=2"
//! rc20: error=misuse line=@wait flags="-- -DTHREADS=2 -DNOINIT"
// Three threads at a barrier for two: two of them meet, and one waits for ever, as one alone does.
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif

static pthread_barrier_t barrier;

static void *wait_there(void *unused) {
  pthread_barrier_wait(&barrier);  // @wait
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
#ifndef NOINIT
  pthread_barrier_init(&barrier, 0, 2);
#endif
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, wait_there, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);  // @join
  return 0;
}
