//! rc20: error=destroy-in-use line=@destroy
//! rc20: verified executions=1 flags="-- -DUNLOCKED"
// A mutex is destroyed while it is locked.
#include <pthread.h>

int main(void) {
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, 0);
  pthread_mutex_lock(&lock);
#ifdef UNLOCKED
  pthread_mutex_unlock(&lock);
#endif
  pthread_mutex_destroy(&lock);  // @destroy
  return 0;
}
