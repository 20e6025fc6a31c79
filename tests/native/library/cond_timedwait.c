//! rc20: verified executions=8 blocked=0
//! rc20: error=assertion-failure line=@result flags="-- -DALWAYS"
//! rc20: error=assertion-failure line=@timeout flags="-- -DNEVER"
// A timed wait is signalled or runs out of time; nobody waits for ever. ALWAYS, NEVER: the program relies on one of
// them.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

void* producer(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec += 1;
  pthread_mutex_lock(&mutex);
  int result = 0;
  while (!ready && result == 0) result = pthread_cond_timedwait(&condition, &mutex, &time);
  assert(result == 0 || result == ETIMEDOUT);
#ifdef ALWAYS
  assert(ready);  // @result
#endif
#ifdef NEVER
  assert(result == 0);  // @timeout
#endif
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
}
