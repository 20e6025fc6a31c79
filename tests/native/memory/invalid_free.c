//! rc20: error=invalid-free line=@free flags="-- -DWHAT=block+1"
//! rc20: error=invalid-free line=@free flags="-- -DWHAT=&global"
//! rc20: error=invalid-free line=@free flags="-- -DWHAT=&local"
//! rc20: verified executions=1 flags="-- -DWHAT=block"
// What may be freed is the beginning of an allocation and nothing else.
#include <stdlib.h>

static int global;

int main(void) {
  int local = 0;
  int *block = malloc(4 * sizeof *block);
  int *volatile pointers[3] = {&global, &local, block};
  (void)pointers;
  free(WHAT);  // @free
  return 0;
}
