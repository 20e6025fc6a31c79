//! rc20: error=out-of-bounds line=@copy
//! rc20: verified executions=1 flags="-- -DSIZE=6"
// Five letters and the zero behind them do not fit into five bytes.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifndef SIZE
#define SIZE 5
#endif

int main(void) {
  char *text = malloc(SIZE);
  strcpy(text, "hello");  // @copy
  assert(strlen(text) == 5);
  free(text);
  return 0;
}
