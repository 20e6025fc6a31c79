//! rc20: error=uninitialised-read line=@lock
//! rc20: verified executions=1 blocked=0 flags="-- -DMISS"
// A mutex on the heap that nobody has initialised.
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  pthread_mutex_t* mutex = malloc(sizeof *mutex);
#ifdef MISS
  pthread_mutex_init(mutex, 0);
#endif
  pthread_mutex_lock(mutex);  // @lock
  pthread_mutex_unlock(mutex);
  free(mutex);
}
