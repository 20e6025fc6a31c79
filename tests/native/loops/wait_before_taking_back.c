//! rc20: error=non-termination line=@wait
//! rc20: verified executions=2 blocked=1 flags="-- -DAFTER"
// Who has failed to take the lock waits for it to be free before it takes back what it has added itself, so that it never is.
// AFTER: the other way round.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int owned;

static void *work(void *unused) {
  for (;;) {
    if (atomic_fetch_add_explicit(&x, 1, memory_order_acquire) == 0) break;
#ifdef AFTER
    atomic_fetch_sub_explicit(&x, 1, memory_order_relaxed);
#endif
    while (atomic_load_explicit(&x, memory_order_relaxed) != 0) {  // @wait
    }
#ifndef AFTER
    atomic_fetch_sub_explicit(&x, 1, memory_order_relaxed);
#endif
  }
  owned++;
  atomic_fetch_sub_explicit(&x, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
