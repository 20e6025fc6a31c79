//! rc20: verified executions=1
//! rc20: error=unsupported line=@call text="getpgrp is not modelled" flags="-- -DREACHED"
// Tables of functions, of which some are not modelled: the call stops, not the table.
#define _DEFAULT_SOURCE
#include <assert.h>
#include <sys/types.h>
#include <unistd.h>

static int zero(void) { return 0; }
static int (*const kIdentities[])(void) = {zero, getpgrp, vhangup};

int main(void) {
#ifdef REACHED
  int which = 1;
#else
  int which = 0;
#endif
  assert(kIdentities[which]() == 0);  // @call
  return 0;
}
