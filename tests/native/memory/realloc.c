//! rc20: verified executions=1
//! rc20: error=use-after-free line=@old flags="-- -DOLD"
//! rc20: error=out-of-bounds line=@shrunk flags="-- -DSHRUNK"
// realloc keeps the contents, and may move them: the old pointer is gone. Shrinking shrinks.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(8);
  strcpy(text, "abcdefg");
  char *longer = realloc(text, 1000);
  assert(strcmp(longer, "abcdefg") == 0);
#ifdef OLD
  text[0] = 'x';  // @old
#endif
  longer[999] = 1;
  char *shorter = realloc(longer, 4);
  assert(memcmp(shorter, "abcd", 4) == 0);
#ifdef SHRUNK
  shorter[4] = 1;  // @shrunk
#endif
  free(shorter);
  char *fresh = realloc(NULL, 3);
  fresh[2] = 1;
  free(fresh);
  return 0;
}
