//! rc20: verified executions=5 blocked=0
//! rc20: error=data-race line=@error flags="-- -DBACK=memory_order_relaxed"
// The data go to another thread and back through two flags, twice. BACK: the way back does not synchronise.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BACK
#define BACK memory_order_release
#endif

static int data;
static atomic_int to, from;

static void *partner(void *unused) {
  for (int round = 1; round <= 2; round++) {
    if (atomic_load_explicit(&to, memory_order_acquire) != round) return unused;
    data += 10;
    atomic_store_explicit(&from, round, BACK);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, partner, 0);
  for (int round = 1; round <= 2; round++) {
    data++;
    atomic_store_explicit(&to, round, memory_order_release);
    if (atomic_load_explicit(&from, memory_order_acquire) != round) break;
    assert(data == 11 * round);  // @error
  }
  pthread_join(thread, 0);
  return 0;
}
