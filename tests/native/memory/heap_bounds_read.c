//! rc20: error=out-of-bounds line=@read flags="-- -DSIZE=13"
//! rc20: error=out-of-bounds line=@read flags="-- -DSIZE=15"
//! rc20: verified executions=1 flags="-- -DSIZE=16"
// The last int of an allocation that is too small by a few bytes.
#include <stdlib.h>

int main(void) {
  char *bytes = calloc(1, SIZE);
  int last = ((int *)bytes)[3];  // @read
  free(bytes);
  return last;
}
