//! rc20: verified executions=2 blocked=0
//! rc20: verified executions=2 blocked=0 flags="-j 2 -- -DN=255"
//! rc20: verified executions=2 blocked=0 flags="--equivalence rf -- -DN=255"
//! rc20: verified executions=2 blocked=0 flags="-- -DN=255 -DMIXED"
//! rc20: error=data-race line=@second thread=255 text="a write by thread 254" flags="-- -DN=255 -DRACE"
//! rc20: error=deadlock line=@error thread=255 text="thread 255 waits for lock for ever" flags="-- -DN=255 -DDEADLOCK"
// Many threads at the same time, each with a word of its own. The last two also share one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 100
#endif

static atomic_int own[N];
static union {
  atomic_int whole;
  _Atomic(unsigned char) byte;
} shared;
static int plain;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *argument) {
  long self = (long)argument;
  atomic_store_explicit(&own[self], 1, memory_order_relaxed);
  if (self == N - 2) {
    atomic_store_explicit(&shared.whole, 1, memory_order_relaxed);
#ifdef RACE
    plain = 1;
#endif
  }
  if (self == N - 1) {
#ifdef MIXED
    int seen = atomic_load_explicit(&shared.byte, memory_order_relaxed);
#else
    int seen = atomic_load_explicit(&shared.whole, memory_order_relaxed);
#endif
    assert(seen == 0 || seen == 1);
#ifdef RACE
    plain = 2;  // @second
#endif
#ifdef DEADLOCK
    pthread_mutex_lock(&lock);  // @error
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N];
#ifdef DEADLOCK
  pthread_mutex_lock(&lock);
#endif
  for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, run, (void *)i);
  for (long i = 0; i < N; i++) pthread_join(threads[i], NULL);
  int sum = 0;
  for (long i = 0; i < N; i++) sum += atomic_load_explicit(&own[i], memory_order_relaxed);
  assert(sum == N);
  return 0;
}
