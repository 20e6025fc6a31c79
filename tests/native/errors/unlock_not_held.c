//! rc20: error=unlock-not-held line=@unlock flags="-- -DTHREAD"
//! rc20: error=unlock-not-held line=@twice flags="-- -DTWICE"
//! rc20: verified executions=1
// A mutex that another thread has locked, or nobody any more.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
#ifdef THREAD
  pthread_mutex_unlock(&lock);  // @unlock
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  pthread_mutex_unlock(&lock);
#ifdef TWICE
  pthread_mutex_unlock(&lock);  // @twice
#endif
  return 0;
}
