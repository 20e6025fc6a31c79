//! rc20: verified executions=1
//! rc20: error=uninitialised-read line=@pass flags="-- -DMISSING"
// A structure on the heap is passed by value, in registers that hold what lies between its members as well. Nobody writes that.
#include <assert.h>
#include <stdlib.h>

struct Small {
  char c;
  int i;
};
struct Large {
  char c;
  long l[4];
};

static __attribute__((noinline)) int sum(struct Small s) { return s.c + s.i; }
static __attribute__((noinline)) long sumOfLarge(struct Large s) { return s.c + s.l[2]; }

int main(void) {
  struct Small* small = malloc(sizeof *small);
  small->c = 1;
#ifndef MISSING
  small->i = 2;
#endif
  assert(sum(*small) == 3);  // @pass
  struct Small copy = *small;
  assert(sum(copy) == 3);
  free(small);
  struct Large* large = malloc(sizeof *large);
  large->c = 1;
  for (int i = 0; i < 4; ++i) large->l[i] = i;
  assert(sumOfLarge(*large) == 3);
  struct Large copyOfLarge = *large;
  assert(sumOfLarge(copyOfLarge) == 3);
  free(large);
}
