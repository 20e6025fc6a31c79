//! rc20: error=deadlock line=@error
//! rc20: verified executions=2 flags="-- -DUNLOCK"
// A thread ends with a mutex held; whoever comes next waits for ever. If main comes first there is none, so this is an
// error in one execution of two.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
#ifdef UNLOCK
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);  // @error
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
