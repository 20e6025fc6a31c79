//! rc20: error=self-lock line=@again
//! rc20: verified executions=1 flags="-- -DRECURSIVE"
//! rc20: verified executions=1 flags="-- -DTRY"
// A mutex that the thread has already. RECURSIVE: one of the kind that allows it. TRY: asking is allowed.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
#ifdef RECURSIVE
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
#endif
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, &attributes);
  pthread_mutex_lock(&lock);
#ifdef TRY
  assert(pthread_mutex_trylock(&lock) == EBUSY);
#else
  pthread_mutex_lock(&lock);  // @again
  pthread_mutex_unlock(&lock);
#endif
  pthread_mutex_unlock(&lock);
  pthread_mutex_destroy(&lock);
  pthread_mutexattr_destroy(&attributes);
  return 0;
}
