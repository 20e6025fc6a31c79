//! rc20,sc: verified executions=1920 blocked=0
//! rc20: verified executions=2880 blocked=0 flags="-- -DSERIAL"
//! rc20: verified executions=1920 blocked=0 flags="-j 2"
//! rc20: verified executions=1920 blocked=0 flags="--equivalence rf"
//! rc20: error=deadlock line=@wait|@join flags="-- -DTHREADS=3"
//! rc20: error=assertion-failure line=@pair flags="-- -DFIRST"
// Four threads at a barrier for two meet in pairs, whoever they are; of three one waits for ever. FIRST: it need not be the
// first two that meet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 4
#endif

static pthread_barrier_t barrier;
static atomic_int come, last, first;

static void *meet(void *number) {
  ++come;
#ifdef SERIAL
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++last;  // @serial
#else
  pthread_barrier_wait(&barrier);  // @wait
#endif
  assert(come >= 2);
#ifdef FIRST
  if (!first) first = (int)(long)number + 1;
  assert(first <= 2);  // @pair
#endif
  return number;
}

int main(void) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&barrier, 0, 2);
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, meet, (void *)(long)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);  // @join
#ifdef SERIAL
  assert(last == THREADS / 2);
#endif
  pthread_barrier_destroy(&barrier);
  return 0;
}
