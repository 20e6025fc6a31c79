//! rc20: error=dead-frame line=@use
//! rc20: verified executions=1 flags="-- -DSTATIC"
// The address of a local outlives it.
#include <stddef.h>

static int *keep;

static __attribute__((noinline)) void remember(void) {
#ifdef STATIC
  static int local = 3;
#else
  int local = 3;
#endif
  keep = &local;
}

static __attribute__((noinline)) int other(void) {
  volatile int numbers[4] = {1, 2, 3, 4};
  return numbers[2];
}

int main(void) {
  remember();
  int sum = other();
  sum += *keep;  // @use
  return sum == 99;
}
