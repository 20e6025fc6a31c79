//! rc20: error=read-only-write line=@write
//! rc20: verified executions=1 flags="-- -DCOPY"
// String literals and const objects cannot be written.
#include <string.h>

static char copy[6];

int main(void) {
  char *text = (char *)"hello";
#ifdef COPY
  text = strcpy(copy, text);
#endif
  char *volatile escaped = text;
  escaped[0] = 'j';  // @write
  return 0;
}
