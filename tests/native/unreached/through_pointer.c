//! rc20: verified executions=1
//! rc20: error=unsupported line=@call text="getuid is not modelled" flags="-- -DREACHED"
// Tables of functions, of which some are not modelled: the call stops, not the table.
#include <assert.h>
#include <sys/types.h>
#include <unistd.h>

static unsigned zero(void) { return 0; }
static unsigned (*const kIdentities[])(void) = {zero, getuid, geteuid};

int main(void) {
#ifdef REACHED
  int which = 1;
#else
  int which = 0;
#endif
  assert(kIdentities[which]() == 0);  // @call
  return 0;
}
