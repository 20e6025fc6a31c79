//! rc20: error=misuse line=@lock
//! rc20: verified executions=1 blocked=0 flags="-- -DMISS"
// A destroyed mutex is locked. MISS: it has been initialised again.
#include <pthread.h>

pthread_mutex_t mutex;

int main(void) {
  pthread_mutex_init(&mutex, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_destroy(&mutex);
#ifdef MISS
  pthread_mutex_init(&mutex, 0);
#endif
  pthread_mutex_lock(&mutex);  // @lock
  pthread_mutex_unlock(&mutex);
}
