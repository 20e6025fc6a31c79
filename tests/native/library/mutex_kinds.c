//! rc20: verified executions=1 blocked=0
// What each kind of mutex does when its holder comes back, and when one unlocks it that does not hold it.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t recursiveByInitialiser = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t errorcheckByInitialiser = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void recursive(pthread_mutex_t* mutex) {
  assert(pthread_mutex_lock(mutex) == 0);
  assert(pthread_mutex_lock(mutex) == 0);
  assert(pthread_mutex_trylock(mutex) == 0);
  for (int i = 0; i < 3; ++i) assert(pthread_mutex_unlock(mutex) == 0);
}

static void errorcheck(pthread_mutex_t* mutex) {
  struct timespec time = {0, 0};
  assert(pthread_mutex_unlock(mutex) == EPERM);
  assert(pthread_mutex_lock(mutex) == 0);
  assert(pthread_mutex_lock(mutex) == EDEADLK);
  assert(pthread_mutex_trylock(mutex) == EBUSY);
  assert(pthread_mutex_timedlock(mutex, &time) == EDEADLK);
  assert(pthread_mutex_unlock(mutex) == 0);
  assert(pthread_mutex_unlock(mutex) == EPERM);
}

int main(void) {
  recursive(&recursiveByInitialiser);
  errorcheck(&errorcheckByInitialiser);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  int type;
  pthread_mutex_t mutex;
  assert(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE) == 0);
  pthread_mutex_init(&mutex, &attributes);
  recursive(&mutex);
  pthread_mutex_destroy(&mutex);
  assert(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK) == 0);
  assert(pthread_mutexattr_gettype(&attributes, &type) == 0 && type == PTHREAD_MUTEX_ERRORCHECK);
  assert(pthread_mutexattr_settype(&attributes, 77) == EINVAL);
  pthread_mutex_init(&mutex, &attributes);
  errorcheck(&mutex);
  pthread_mutex_destroy(&mutex);
  pthread_mutexattr_destroy(&attributes);
  pthread_mutex_init(&mutex, 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  assert(pthread_mutex_unlock(&mutex) == 0);
  pthread_mutex_destroy(&mutex);
}
