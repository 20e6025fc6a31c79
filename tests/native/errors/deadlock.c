//! rc20: error=deadlock line=@error
//! sc: error=deadlock line=@error
//! rc20: verified executions=2 blocked=0 flags="-- -DSAME_ORDER"
// Two mutexes, taken in opposite orders. The classic that must not end in "no errors".
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);  // @error
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *worker(void *unused) {
#ifdef SAME_ORDER
  both(&a, &b);
#else
  both(&b, &a);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  both(&a, &b);
  pthread_join(thread, 0);
  return 0;
}
