//! rc20: verified executions=1
//! rc20: verified executions=1 flags="--arg one --arg two -- -DTWO"
//! rc20: error=out-of-bounds|null-pointer line=@error flags="-- -DBEYOND"
// argv has the program's name, the arguments that were given, and a null pointer at its end; nothing is behind that.
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
  assert(argv[0] != NULL && strlen(argv[0]) > 0);
#ifdef TWO
  assert(argc == 3 && strcmp(argv[1], "one") == 0 && strcmp(argv[2], "two") == 0);
  argv[1][0] = 'O';
#else
  assert(argc == 1);
#endif
  assert(argv[argc] == NULL);
#ifdef BEYOND
  return argv[argc + 1][0];  // @error
#endif
  return 0;
}
