//! rc20: verified executions=1
//! rc20: error=uninitialised-read line=@number flags="-- -DNUMBER"
// What lies between the members of one member of a union may be part of another.
#include <assert.h>
#include <stdlib.h>

union Both {
  struct {
    char c;
    int i;
  } pair;
  long number;
};

static __attribute__((noinline)) int second(union Both both) { return both.pair.i; }

int main(void) {
  union Both* both = malloc(sizeof *both);
#ifdef NUMBER
  both->pair.c = 1;
  both->pair.i = 2;
  assert(both->number != 0);  // @number
#else
  both->number = 1;
  both->pair.i = 2;
#endif
  assert(second(*both) == 2);
  free(both);
}
