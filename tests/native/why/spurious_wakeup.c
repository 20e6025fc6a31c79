//! rc20: error=assertion-failure line=@ready
//! why: An interleaving of the threads, the one above, leads there: it is no matter of memory orders.
// A wait without a loop: it may wake up although nobody has signalled.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  if (!ready) pthread_cond_wait(&changed, &mutex);
  assert(ready);  // @ready
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
}
