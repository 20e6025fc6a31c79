//! rc20: error=out-of-bounds line=@print
//! rc20: verified executions=1 flags="-- -DSIZE=8"
// sprintf into a buffer that is one byte too small.
#include <stdio.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 7
#endif

int main(void) {
  char *out = malloc(SIZE);
  sprintf(out, "%d", 1234567);  // @print
  free(out);
  return 0;
}
