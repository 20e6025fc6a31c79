//! rc20: error=unsupported line=8 text="a64l is not modelled" text="--pure a64l"
//! rc20: verified executions=1 flags="--pure a64l"
// A function of the C library that is not modelled, accepted by name.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(a64l("/.") == 1);
  return 0;
}
