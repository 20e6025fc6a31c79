//! rc20: bounded executions=2 flags="--unroll 2 -- -DN=1 -DSET"
//! rc20: incomplete executions=0 text="no execution ran to its end" flags="--unroll 2 -- -DN=1"
//! rc20: incomplete executions=0 text="no execution ran to its end" flags="--unroll 2 -- -DN=2"
// A thread has a mutex, gives it back, and takes it again until something is there. An iteration ends with the mutex, before it
// has looked at what others have done, so it does not wait there: nothing is known about a thread that stops with it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *wait_for_it(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!ready) {
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, wait_for_it, 0);
#ifdef SET
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
#endif
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}
