//! rc20: error=assertion-failure line=@sum flags="--suggest"
//! why: An interleaving of the threads, the one above, leads there: it is no matter of memory orders.
//! why: No change is suggested: an interleaving leads to an error (assertion failure), which no memory order forbids.
// A counter by load and store: no memory order helps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void* increment(void* unused) {
  const int old = atomic_load(&counter);
  atomic_store(&counter, old + 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load(&counter) == 2);  // @sum
}
