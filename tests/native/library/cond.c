//! rc20: verified executions=4 blocked=0
//! sc: verified executions=4 blocked=0
//! rc20: verified executions=2 blocked=0 flags="--no-spurious"
//! rc20: error=deadlock line=@error flags="-- -DLOST"
//! rc20: error=assertion-failure line=@assert flags="-- -DIF"
//! rc20: verified executions=2 blocked=0 flags="--no-spurious -- -DIF"
// The usual way to wait. LOST: the flag is looked at before the mutex is taken, so that the signal may come too early.
// IF: waiting once is not enough, as a wait may end without a signal.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
#ifdef LOST
atomic_int ready;
#else
int ready;
#endif
int data;

void* producer(void* unused) {
#ifndef LOST
  pthread_mutex_lock(&mutex);
#endif
  data = 42;
  ready = 1;
  pthread_cond_signal(&condition);
#ifndef LOST
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  pthread_mutex_lock(&mutex);
#ifdef IF
  if (!ready) pthread_cond_wait(&condition, &mutex);
#else
  while (!ready) pthread_cond_wait(&condition, &mutex);  // @error
#endif
  pthread_mutex_unlock(&mutex);
#ifdef IF
  assert(ready);  // @assert
#endif
  assert(data == 42);
  pthread_join(thread, 0);
}
