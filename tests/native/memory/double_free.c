//! rc20: error=double-free line=@again
//! rc20: verified executions=1 flags="-- -DNULLED"
// free(NULL) is allowed, a second free is not.
#include <stdlib.h>

int main(void) {
  int *cell = malloc(sizeof *cell);
  free(cell);
#ifdef NULLED
  cell = NULL;
#endif
  free(cell);  // @again
  return 0;
}
