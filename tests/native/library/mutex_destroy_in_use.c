//! rc20: error=destroy-in-use line=@destroy
//! rc20: error=destroy-in-use line=@destroy flags="-- -DOTHER"
//! rc20: error=data-race line=@destroy|@lock|@unlock flags="-- -DRACE"
//! rc20: verified executions=1 blocked=0 flags="-- -DMISS"
// A mutex is destroyed while the thread holds it; while another thread is known to hold it (OTHER); while another
// thread may hold it (RACE); when everybody is done with it (MISS).
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex;
atomic_int held;

void* holder(void* unused) {
  pthread_mutex_lock(&mutex);  // @lock
#ifdef OTHER
  atomic_store(&held, 1);
#else
  pthread_mutex_unlock(&mutex);  // @unlock
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_init(&mutex, 0);
  pthread_create(&thread, 0, holder, 0);
#if defined(OTHER)
  while (!atomic_load(&held));
#elif defined(MISS)
  pthread_join(thread, 0);
#elif !defined(RACE)
  pthread_mutex_lock(&mutex);
#endif
  pthread_mutex_destroy(&mutex);  // @destroy
#ifndef MISS
  pthread_join(thread, 0);
#endif
}
