//! rc20: error=memory-leak line=@error flags="--leaks"
//! rc20: verified executions=1
//! rc20: verified executions=1 flags="--leaks -- -DFREED"
// Memory that is never freed is an error only if one asks.
#include <stdlib.h>

int main(void) {
  int *cell = malloc(sizeof *cell);  // @error
  *cell = 1;
#ifdef FREED
  free(cell);
#endif
  return 0;
}
