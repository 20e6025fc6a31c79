//! tso: verified executions=3 flags="--persistency px86"
//! tso: verified executions=3 flags="--persistency px86 -- -DWEAK"
//! tso: error=recovery flags="--persistency px86 -- -DUNLOCK"
// A compare-exchange that fails is a locked instruction, which waits for flushes. To give a mutex back is a store, as far as is promised.
#include <heddle/heddle.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>

HEDDLE_PERSISTENT int x;
HEDDLE_PERSISTENT int y;
atomic_int flag;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
#ifdef UNLOCK
  pthread_mutex_lock(&mutex);
#endif
  x = 1;
  _mm_clwb(&x);
  int expected = 5;
#ifdef WEAK
  atomic_compare_exchange_weak_explicit(&flag, &expected, 6, memory_order_relaxed, memory_order_relaxed);
#elif defined UNLOCK
  pthread_mutex_unlock(&mutex);
#else
  atomic_compare_exchange_strong(&flag, &expected, 6);
#endif
  y = 1;
  return 0;
}

void heddle_recovery(void) {
  const int laterWrite = y, earlierWrite = x;
  heddle_assert(!laterWrite || earlierWrite);
}
