// A copy over the end of a local array.
//! outcome: error out-of-bounds
#include <string.h>
static char input[256];
int main(void) {
  char name[16];
  memset(input, 'A', sizeof input);
  memcpy(name, input, sizeof input);
  return name[0];
}
