//! rc20: verified executions=4 blocked=0
//! rc20: verified executions=2 blocked=0 flags="--no-spurious"
//! rc20: verified executions=64 blocked=0 flags="-- -DN=2"
//! rc20: verified executions=2912 blocked=0 flags="-- -DPRODUCERS=2 -DCONSUMERS=2"
//! rc20: verified executions=4 blocked=0 flags="-- -DAFTER"
//! rc20: verified executions=84 blocked=0 flags="-- -DN=2 -DAFTER"
//! rc20: verified executions=96 blocked=0 flags="--no-spurious -- -DPRODUCERS=2 -DCONSUMERS=2 -DAFTER"
//! rc20: error=deadlock line=@sleeps flags="-- -DPRODUCERS=2 -DCONSUMERS=2 -DONE_CONDITION"
//! rc20: error=deadlock line=@sleeps2 flags="-- -DLOST"
//! rc20: error=assertion-failure line=@error-2 flags="-- -DIF"
//! rc20: verified executions=2 blocked=0 flags="--no-spurious -- -DIF"
// A buffer of one. Threads contend for the mutex and for the condition variables, and are never seen to wait for
// good. AFTER: signals when the mutex has been given back. ONE_CONDITION: a signal may wake who cannot use it. LOST:
// looks before it locks. IF: does not look again after it has been woken, which may have been for nothing.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif
#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t notEmpty = PTHREAD_COND_INITIALIZER, notFull = PTHREAD_COND_INITIALIZER;
static int buffer, full;

#ifdef ONE_CONDITION
#define notFull notEmpty
#endif
#ifdef IF
#define UNTIL(condition) if (!(condition))
#else
#define UNTIL(condition) while (!(condition))
#endif

static void finish(pthread_cond_t *condition) {
#ifdef AFTER
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(condition);
#else
  pthread_cond_signal(condition);
  pthread_mutex_unlock(&mutex);
#endif
}

static void *produce(void *unused) {
  for (int i = 1; i <= N; i++) {
    pthread_mutex_lock(&mutex);
    UNTIL(!full) pthread_cond_wait(&notFull, &mutex);  // @sleeps
    buffer = i;
    full = 1;
    finish(&notEmpty);
  }
  return unused;
}

static void *consume(void *unused) {
  for (int i = 1; i <= N; i++) {
    pthread_mutex_lock(&mutex);
#ifdef LOST
    const int there = full;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    if (!there) pthread_cond_wait(&notEmpty, &mutex);  // @sleeps2
#else
    UNTIL(full) pthread_cond_wait(&notEmpty, &mutex);
#endif
    assert(full && buffer >= 1);  // @error-2
    full = 0;
    finish(&notFull);
  }
  return unused;
}

int main(void) {
  pthread_t threads[PRODUCERS + CONSUMERS];
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++) {
    pthread_create(&threads[i], 0, i < PRODUCERS ? produce : consume, 0);
  }
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++) pthread_join(threads[i], 0);
  return 0;
}
