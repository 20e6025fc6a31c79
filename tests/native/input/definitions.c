//! rc20: verified executions=1 flags="-- -DNUMBER=3 -Itests/native/input/parts -include definitions.h"
//! rc20: rejected text="NUMBER"
// Flags for the compiler: macros, include paths, an included header.
#include <assert.h>

int main(void) {
  assert(NUMBER == 3 && FROM_HEADER == 4);
  return 0;
}
