//! rc20: verified executions=1
//! rc20: error=abort line=@abort flags="-- -DABORT"
// _Exit runs nothing, quick_exit its own handlers only.
#include <assert.h>
#include <stdlib.h>

void never(void) { assert(0); }
void quick(void) { _Exit(0); }

int main(void) {
  atexit(never);
  at_quick_exit(never);
  at_quick_exit(quick);
#ifdef ABORT
  abort();  // @abort
#endif
  quick_exit(1);
}
