//! rc20: error=double-free|data-race line=@free
//! rc20: verified executions=2 flags="-- -DEXCHANGE"
// Two threads free the same memory. EXCHANGE: only the one that takes the pointer out does.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) cell;

static void *release(void *unused) {
#ifdef EXCHANGE
  int *mine = atomic_exchange(&cell, NULL);
#else
  int *mine = atomic_load(&cell);
#endif
  free(mine);  // @free
  return unused;
}

int main(void) {
  atomic_store(&cell, malloc(sizeof(int)));
  pthread_t first, second;
  pthread_create(&first, NULL, release, NULL);
  pthread_create(&second, NULL, release, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
