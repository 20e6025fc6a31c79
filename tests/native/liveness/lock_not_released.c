//! rc20: error=non-termination line=@outer|@spin text="spins on held for ever"
//! sc, tso: error=non-termination
//! rc20: verified executions=4 blocked=2 flags="-- -DRELEASE"
//! rc20: incomplete executions=0 text="no execution ran to its end" flags="--liveness off"
// A test-and-test-and-set lock that is taken and never given back.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int held;

static void *work(void *unused) {
  while (1) {  // @outer
    while (atomic_load_explicit(&held, memory_order_relaxed) != 0) {  // @spin
    }
    int expected = 0;
    if (atomic_compare_exchange_strong_explicit(&held, &expected, 1, memory_order_acquire, memory_order_relaxed)) break;
  }
#ifdef RELEASE
  atomic_store_explicit(&held, 0, memory_order_release);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
