//! rc20: error=deadlock line=@error
//! rc20: verified executions=4 blocked=0 flags="-- -DPREDICATE"
// The signal may come before the wait; without a predicate it is lost.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);
#ifdef PREDICATE
  while (!ready) pthread_cond_wait(&changed, &lock);
#else
  pthread_cond_wait(&changed, &lock);  // @error
#endif
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
