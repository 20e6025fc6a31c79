//! rc20: error=use-after-free line=@read
//! rc20: error=use-after-free line=@write flags="-- -DWRITE"
//! rc20: verified executions=1 flags="-- -DBEFORE"
// Reading and writing what was freed.
#include <stdlib.h>

int main(void) {
  int *cell = malloc(sizeof *cell);
  *cell = 1;
  int seen = 0;
#ifdef BEFORE
  seen = *cell;
#endif
  free(cell);
#ifdef WRITE
  *cell = 2;  // @write
#elif !defined BEFORE
  seen = *cell;  // @read
#endif
  return seen == 9;
}
