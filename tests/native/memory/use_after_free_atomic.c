//! rc20: error=use-after-free line=@load
//! rc20: verified executions=1 flags="-- -DBEFORE"
// An atomic access to freed memory, ordered after the free.
#include <stdatomic.h>
#include <stdlib.h>

int main(void) {
  atomic_int *cell = malloc(sizeof *cell);
  atomic_init(cell, 1);
#ifdef BEFORE
  int seen = atomic_load(cell);
  free(cell);
#else
  free(cell);
  int seen = atomic_load(cell);  // @load
#endif
  return seen == 9;
}
