//! rc20: verified executions=2
//! rc20: error=non-termination line=@error flags="-- -DNEVER"
//! rc20: error=data-race line=@error-2 flags="-- -DDESTROY"
//! rc20: verified executions=4 flags="-- -DKIND=PTHREAD_MUTEX_RECURSIVE -DHELD"
//! rc20: verified executions=4 flags="-- -DKIND=PTHREAD_MUTEX_ERRORCHECK -DHELD"
// Two threads poll under the same mutex. HELD: one of them has the mutex already; a recursive one it keeps until it leaves, and
// of one that checks for errors it gets none, but gives it back in its first round, which has an effect then.
#include <assert.h>
#include <pthread.h>

#ifndef KIND
#define KIND PTHREAD_MUTEX_NORMAL
#endif

static pthread_mutex_t mutex;
static int ready;

static void *poll(void *unused) {
  for (;;) {  // @error
    pthread_mutex_lock(&mutex);
    const int done = ready;
    pthread_mutex_unlock(&mutex);
    if (done) return unused;
  }
}

static void *hold(void *unused) {
  pthread_mutex_lock(&mutex);
  if (KIND == PTHREAD_MUTEX_RECURSIVE) ready = 1;
  poll(unused);
  if (KIND == PTHREAD_MUTEX_RECURSIVE) pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, KIND);
  pthread_mutex_init(&mutex, &kind);
  pthread_t first, second;
#ifdef HELD
  pthread_create(&first, 0, hold, 0);
#else
  pthread_create(&first, 0, poll, 0);
#endif
  pthread_create(&second, 0, poll, 0);
#ifndef NEVER
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
#endif
#ifdef DESTROY
  pthread_mutex_destroy(&mutex);  // @error-2
#endif
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
