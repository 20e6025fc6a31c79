//! rc20: verified executions=1
//! sc: verified executions=1
//! rc20: error=assertion-failure line=@noticed flags="--unroll 3 -- -DNOTICED"
//! rc20: error=assertion-failure line=@left flags="--unroll 3 -- -DLEFT"
// A flag of a debug build is set while a thread looks, and taken back. The round leaves what was there, so the loop waits. Not if
// another thread may see the flag come and go (NOTICED), or the last store of a round leaves another value (LEFT).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, busy;

static void *waiter(void *unused) {
  for (;;) {
    atomic_store_explicit(&busy, 1, memory_order_relaxed);
    const int seen = atomic_load_explicit(&ready, memory_order_acquire);
#ifdef LEFT
    atomic_store_explicit(&busy, seen ? 0 : 2, memory_order_relaxed);
#else
    atomic_store_explicit(&busy, 0, memory_order_relaxed);
#endif
    if (seen) break;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
#ifdef NOTICED
  const int one = atomic_load(&busy), two = atomic_load(&busy), three = atomic_load(&busy);
  assert(!(one == 1 && two == 0 && three == 1));  // @noticed
#endif
#ifdef LEFT
  assert(atomic_load(&busy) != 2);  // @left
#endif
  atomic_store_explicit(&ready, 1, memory_order_release);
  pthread_join(thread, 0);
  return 0;
}
