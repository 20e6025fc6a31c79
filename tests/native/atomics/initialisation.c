//! rc20: verified executions=2 blocked=0
//! rc20: error=data-race line=@init|@load flags="-- -DLATE"
// Initialising an atomic is a plain write: fine before the thread starts, again after it is joined, a race while
// another thread looks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *cell;

static void *look(void *unused) {
  int seen = atomic_load(cell);  // @load
  assert(seen == 1 || seen == 2);
  return unused;
}

int main(void) {
  cell = malloc(sizeof *cell);
  atomic_init(cell, 1);
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
#ifdef LATE
  atomic_init(cell, 2);  // @init
#else
  atomic_store(cell, 2);
#endif
  pthread_join(thread, 0);
  atomic_init(cell, 7);
  assert(atomic_load(cell) == 7);
  free(cell);
  return 0;
}
