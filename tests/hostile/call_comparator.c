// A wild pointer that the library is to call.
//! outcome: error wild-call
#include <stdlib.h>
int main(void) {
  int numbers[4] = {3, 1, 2, 0};
  qsort(numbers, 4, sizeof *numbers, (int (*)(const void *, const void *))0x401000);
}
