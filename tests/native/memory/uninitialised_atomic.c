//! rc20: error=uninitialised-atomic line=@load
//! rc20: error=uninitialised-atomic line=@add flags="-- -DADD"
//! rc20: verified executions=1 flags="-- -DINIT"
//! rc20: verified executions=1 flags="-- -DSTORE"
// An atomic on the heap that nobody has initialised. A store is no use of the old value.
#include <stdatomic.h>
#include <stdlib.h>

int main(void) {
  atomic_int *cell = malloc(sizeof *cell);
#if defined INIT
  atomic_init(cell, 0);
#elif defined STORE
  atomic_store(cell, 0);
#endif
#ifdef ADD
  int seen = atomic_fetch_add(cell, 1);  // @add
#else
  int seen = atomic_load(cell);  // @load
#endif
  free(cell);
  return seen == 9;
}
