//! sc,rc20: verified executions=3 blocked=0
//! sc,rc20: error=data-race line=@first|@second flags="--isolation weak"
//! sc,rc20: verified executions=2 blocked=0 flags="--isolation weak -- -DORDERED"
//! sc,rc20: verified executions=2 blocked=0 flags="--isolation weak -- -DINSIDE"
// With weak isolation an access outside may find a transaction half done, which is a data race, although both are atomic. There is none
// if one happens before the other (ORDERED), or if both are transactions.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, done;

static void *both(void *p) {
  heddle_transaction_begin();
  atomic_store(&x, 1);  // @first
  atomic_store(&y, 1);
  heddle_transaction_end();
  atomic_store_explicit(&done, 1, memory_order_release);
  return p;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, both, 0);
#ifdef ORDERED
  if (atomic_load_explicit(&done, memory_order_acquire) == 0) {
    pthread_join(thread, 0);
    return 0;
  }
#endif
#ifdef INSIDE
  heddle_transaction_begin();
#endif
  const int seen = atomic_load(&x);  // @second
  const int other = atomic_load(&y);
#ifdef INSIDE
  heddle_transaction_end();
#endif
  assert(seen <= other);
  pthread_join(thread, 0);
  return 0;
}
