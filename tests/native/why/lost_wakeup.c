//! rc20: error=deadlock line=@error flags="--no-spurious"
//! why: thread 1 (waiter) waits for ready, which nobody signals any more; event 3 signalled it before the wait.
//! why: An interleaving of the threads, the one above, leads there
// The signal may come before the wait, and nothing remembers it.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&ready, &mutex);  // @error
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
}
