//! rc20: verified executions=1
//! rc20: error=unsupported line=@use text="signgam is not modelled" flags="-- -DREACHED"
// A variable of the system that is not modelled.
#define _DEFAULT_SOURCE
#include <assert.h>
#include <math.h>

static volatile int parse;

static int sign(void) {
  return signgam;  // @use
}

int main(void) {
#ifdef REACHED
  parse = 1;
#endif
  if (parse) assert(sign() == 0);
  return 0;
}
