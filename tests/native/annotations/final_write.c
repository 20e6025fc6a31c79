//! rc20,sc: verified executions=2 blocked=0
//! rc20: verified executions=2 flags="--equivalence rf"
//! rc20: verified executions=2 blocked=0 flags="-- -DINITIALISED"
//! rc20: verified executions=2 blocked=0 flags="-- -DEXCHANGE"
//! rc20: verified executions=2 blocked=0 flags="-- -DFAILS"
//! rc20: error=wrong-annotation line=@final|@again text="marked as final" flags="-- -DAGAIN"
//! rc20: error=wrong-annotation line=@final|@again text="marked as final" flags="--equivalence rf -- -DAGAIN"
//! rc20: error=wrong-annotation line=@final|@again text="marked as final" flags="--races off -- -DAGAIN"
//! rc20,tso: error=wrong-annotation line=@after text="x is written, and not before" flags="-- -DAFTER"
//! rc20: error=wrong-annotation line=@later flags="-- -DLATER"
//! rc20: error=wrong-annotation line=@plain flags="-- -DPLAIN"
// A write that is the last one. Writes that happen before it are no contradiction (INITIALISED), nor is a compare-exchange that
// fails (FAILS). Writes that are not ordered with it (AGAIN) or come later (AFTER, LATER, PLAIN) are.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *freeze(void *unused) {
#ifdef EXCHANGE
  int expected = 0;
  int done = heddle_final(atomic_compare_exchange_strong(&x, &expected, 1));
  heddle_assert(done);
#else
  heddle_final(atomic_store_explicit(&x, 1, memory_order_relaxed));  // @final
#endif
#ifdef AFTER
  atomic_store_explicit(&x, 2, memory_order_relaxed);  // @after
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef INITIALISED
  atomic_store_explicit(&x, 3, memory_order_relaxed);
#endif
  pthread_create(&thread, 0, freeze, 0);
#ifdef AGAIN
  atomic_store_explicit(&x, 2, memory_order_relaxed);  // @again
#elif defined(FAILS)
  int expected = 7;
  heddle_final(atomic_compare_exchange_strong(&x, &expected, 2));
#else
  int r = atomic_load_explicit(&x, memory_order_relaxed);
  (void)r;
#endif
  pthread_join(thread, 0);
#ifdef LATER
  atomic_store_explicit(&x, 2, memory_order_relaxed);  // @later
#elif defined(PLAIN)
  atomic_init(&x, 2);  // @plain
#endif
  return 0;
}
