//! rc20: error=out-of-bounds line=@write flags="-- -DINDEX=4"
//! rc20: error=out-of-bounds line=@write flags="-- -DINDEX=-1"
//! rc20: error=out-of-bounds line=@write flags="-- -DINDEX=5"
//! rc20: verified executions=1 flags="-- -DINDEX=3"
//! rc20: verified executions=1 flags="-- -DINDEX=0"
// The end of an array on the heap, one before, one behind, and the last element.
#include <stdlib.h>

int main(void) {
  int *numbers = malloc(4 * sizeof *numbers);
  numbers[INDEX] = 1;  // @write
  free(numbers);
  return 0;
}
