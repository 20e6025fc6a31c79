//! rc20,sc: verified executions=12 flags="--equivalence rf"
//! rc20,sc: verified executions=12
//! rc20: error=data-race line=@read flags="--equivalence rf -- -DORDER=memory_order_relaxed"
// A plain read of an atomic that happens after all writes of it, if the flag is read at all. What others have read of it
// tells which write is the last one: there is no choice left.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef ORDER
#define ORDER memory_order_acquire
#endif

atomic_int x, flag;

static void *add(void *unused) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&flag, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  if (atomic_load_explicit(&flag, ORDER) == 2) {
    const int both = *(int *)&x;  // @read
    assert(both == 2);
  }
  pthread_join(a, 0);
  pthread_join(b, 0);
}
