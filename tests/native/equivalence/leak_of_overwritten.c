//! rc20: error=memory-leak line=@error flags="--equivalence rf --leaks"
//! rc20: error=memory-leak line=@error flags="--equivalence rf --leaks -- -DSWAP"
//! rc20: error=memory-leak line=@error flags="--leaks -- -DSWAP"
//! rc20: verified executions=1 blocked=0 flags="--equivalence rf --leaks -- -DKEEP"
//! rc20: verified executions=1 blocked=0 flags="--equivalence rf --leaks -- -DKEEP -DSWAP"
// The last write to the pointer decides whether the block can still be found at the end.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) found;

static void *publish(void *unused) {
  atomic_store_explicit(&found, malloc(sizeof(int)), memory_order_relaxed);  // @error
  return unused;
}

static void *forget(void *unused) {
#ifndef KEEP
  atomic_store_explicit(&found, (int *)0, memory_order_relaxed);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
#ifdef SWAP
  pthread_create(&a, 0, forget, 0);
  pthread_create(&b, 0, publish, 0);
#else
  pthread_create(&a, 0, publish, 0);
  pthread_create(&b, 0, forget, 0);
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
}
