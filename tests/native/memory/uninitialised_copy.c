//! rc20: verified executions=1
//! rc20: error=uninitialised-read line=@use flags="-- -DUSE"
// Copying what was never written is no use of it, for padding cannot be avoided; using the copy is.
#include <stdlib.h>
#include <string.h>

struct padded {
  char letter;
  int number;
};

int main(void) {
  struct padded *original = malloc(sizeof *original), copy, again;
  original->letter = 'a';
  memcpy(&copy, original, sizeof copy);
  again = copy;
  int result = again.letter == 'b';
#ifdef USE
  struct padded *volatile escaped = &again;
  if (escaped->number == 3) result = 1;  // @use
#endif
  free(original);
  return result;
}
