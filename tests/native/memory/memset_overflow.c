//! rc20: error=out-of-bounds line=@set
//! rc20: verified executions=1 flags="-- -DLENGTH=12"
// memset and memcpy are checked over all of their length.
#include <string.h>

#ifndef LENGTH
#define LENGTH 13
#endif

static char source[12], target[12];
static unsigned long length = LENGTH;

int main(void) {
  memcpy(target, source, 12);
  memset(target, 1, length);  // @set
  return 0;
}
