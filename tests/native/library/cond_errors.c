//! rc20: error=unlock-not-held line=@wait
//! rc20: error=destroy-in-use line=@destroy flags="--no-spurious -- -DDESTROY"
//! rc20: error=misuse line=@signal flags="-- -DDESTROYED"
//! rc20: verified executions=2 blocked=0 flags="--no-spurious -- -DMISS"
// Waiting without the mutex; destroying a condition variable that a thread waits at; using a destroyed one. MISS: the
// waiting thread has been woken when the condition variable is destroyed, though it may not have the mutex yet.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition;
int waiting, ready;

void* consumer(void* unused) {
  pthread_mutex_lock(&mutex);
  waiting = 1;
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_cond_init(&condition, 0);
#if defined(DESTROYED)
  pthread_cond_destroy(&condition);
  pthread_cond_signal(&condition);  // @signal
#elif defined(DESTROY) || defined(MISS)
  pthread_t thread;
  pthread_create(&thread, 0, consumer, 0);
  pthread_mutex_lock(&mutex);
  if (waiting) {
#ifdef MISS
    ready = 1;
    pthread_cond_broadcast(&condition);
#endif
    pthread_cond_destroy(&condition);  // @destroy
  }
  ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
#else
  pthread_cond_wait(&condition, &mutex);  // @wait
#endif
}
