//! rc20: error=self-lock line=@again
//! rc20: verified executions=1 flags="-- -DMISS"
// A normal mutex cannot be locked twice. MISS: it is unlocked in between.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
#ifdef MISS
  pthread_mutex_unlock(&mutex);
#endif
  pthread_mutex_lock(&mutex);  // @again
  pthread_mutex_unlock(&mutex);
}
