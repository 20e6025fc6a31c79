//! sc,rc20: verified executions=12 blocked=0
//! rc20: error=deadlock line=@sleeps flags="-- -DFORGOTTEN"
// Mutexes beside mixed sizes: contention blocks nothing, and one that is never released is a deadlock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic uint64_t whole;
  struct {
    atomic_uint low, high;
  } part;
} word;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *add(void *unused) {
  pthread_mutex_lock(&mutex);  // @sleeps
  inside++;
#ifndef FORGOTTEN
  pthread_mutex_unlock(&mutex);
#endif
  atomic_fetch_add_explicit(&word.whole, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  atomic_fetch_add_explicit(&word.part.high, 1, memory_order_relaxed);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(inside == 2 && atomic_load(&word.whole) == (1ull << 32 | 2));
}
