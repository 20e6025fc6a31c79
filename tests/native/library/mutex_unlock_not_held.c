//! rc20: error=unlock-not-held line=@unlock thread=1
//! rc20: verified executions=1 blocked=0 flags="-- -DMISS"
// The mutex is held, but by another thread. MISS: by the one that unlocks it.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void* other(void* unused) {
#ifdef MISS
  pthread_mutex_lock(&mutex);
#endif
  pthread_mutex_unlock(&mutex);  // @unlock
  return unused;
}

int main(void) {
  pthread_t thread;
#ifndef MISS
  pthread_mutex_lock(&mutex);
#endif
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
}
