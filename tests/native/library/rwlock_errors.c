//! rc20: error=self-lock line=@upgrade
//! rc20: error=self-lock line=@downgrade flags="-- -DDOWNGRADE"
//! rc20: error=unlock-not-held line=@unlock flags="-- -DNOT_HELD"
//! rc20: error=destroy-in-use line=@destroy flags="-- -DDESTROY"
//! rc20: error=misuse line=@destroyed flags="-- -DDESTROYED"
//! rc20: verified executions=1 flags="-- -DMISS"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t lock;

int main(void) {
  struct timespec time = {0, 0};
  pthread_rwlock_init(&lock, 0);
#if defined(DOWNGRADE)
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_rdlock(&lock);  // @downgrade
#elif defined(NOT_HELD)
  pthread_rwlock_unlock(&lock);  // @unlock
#elif defined(DESTROY)
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_destroy(&lock);  // @destroy
#elif defined(DESTROYED)
  pthread_rwlock_destroy(&lock);
  pthread_rwlock_tryrdlock(&lock);  // @destroyed
#elif defined(MISS)
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_timedwrlock(&lock, &time) == ETIMEDOUT);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  assert(pthread_rwlock_timedrdlock(&lock, &time) == EDEADLK);
  assert(pthread_rwlock_unlock(&lock) == 0);
  pthread_rwlock_destroy(&lock);
#else
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_wrlock(&lock);  // @upgrade
#endif
}
