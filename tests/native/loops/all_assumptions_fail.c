//! rc20: incomplete executions=0 blocked=2 text="no execution ran to its end"
//! rc20: verified executions=1 blocked=1 flags="-- -DSOMETIMES"
//! rc20: error=assertion-failure line=@error flags="-- -DEARLY"
// Nothing is known about a program of which no execution comes to its end.
#include <assert.h>
#include <heddle/heddle.h>

int main(void) {
  const int n = (int)heddle_choose(2);
#ifdef EARLY
  assert(n == 0);  // @error
#endif
#ifdef SOMETIMES
  heddle_assume(n == 1);
#else
  heddle_assume(n == 2);
#endif
  assert(n == 1);
  return 0;
}
