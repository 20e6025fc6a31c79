//! rc20: verified executions=1 blocked=0
//! rc20: error=assertion-failure line=@assert flags="-- -DWAIT"
// main returns while a detached thread runs; what it does after that is of no interest, and that it never ends either.
// WAIT: what it does before that is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int started;

void* detached(void* unused) {
  pthread_detach(pthread_self());
  atomic_store(&started, 1);
#ifdef WAIT
  assert(0);  // @assert
#endif
  pthread_mutex_lock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, detached, 0);
  while (!atomic_load(&started));
}
