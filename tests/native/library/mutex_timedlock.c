//! rc20: verified executions=3 blocked=0
//! rc20: error=assertion-failure line=@assert flags="-- -DIGNORE"
// A timed lock gets the mutex, or its time runs out while another thread holds it. Before the other, after it, or
// during its turn: 3 executions. IGNORE: the program goes on as if it had the mutex.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
_Atomic int inside;

void* holder(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, holder, 0);
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec += 1;
  int result = pthread_mutex_timedlock(&mutex, &time);
#ifdef IGNORE
  assert(result == 0);  // @assert
#endif
  if (result == 0) {
    pthread_mutex_unlock(&mutex);
  } else {
    assert(result == ETIMEDOUT);
  }
  pthread_join(thread, 0);
}
