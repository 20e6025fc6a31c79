//! rc20: verified executions=1 blocked=1
//! sc: verified executions=1 blocked=1
//! rc20: error=non-termination line=@error flags="-- -DNEVER"
//! rc20: error=data-race line=@error-2 flags="-- -DWRONG"
//! rc20: bounded text="can be noticed" flags="--unroll 1 -- -DTRY"
//! rc20: error=assertion-failure line=@rounds flags="--unroll 4 -- -DCOUNT"
// A thread looks again and again at what a mutex protects. Who only locks and unlocks cannot tell how often it has looked, but
// who tries to lock can.
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready, rounds;

static void *set(void *unused) {
#ifndef WRONG
  pthread_mutex_lock(&mutex);
#endif
#ifndef NEVER
  ready = 1;
#endif
#ifndef WRONG
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

static void *try(void *unused) {
  if (pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t setter, trier = 0;
  pthread_create(&setter, 0, set, 0);
#ifdef TRY
  pthread_create(&trier, 0, try, 0);
#endif
  for (;;) {  // @error
    pthread_mutex_lock(&mutex);
    const int done = ready;  // @error-2
    pthread_mutex_unlock(&mutex);
    if (done) break;
#ifdef COUNT
    rounds++;
#endif
    sched_yield();
  }
  pthread_join(setter, 0);
#ifdef TRY
  pthread_join(trier, 0);
#endif
  assert(rounds < 2);  // @rounds
  (void)trier;
  (void)try;
  return 0;
}
