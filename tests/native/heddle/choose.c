//! rc20: verified executions=6 blocked=0
//! rc20: error=assertion-failure line=@pair flags="-- -DFORBIDDEN"
// All values of two choices: 3 * 2 executions.
#include <assert.h>
#include <heddle/heddle.h>

int main(void) {
  unsigned a = heddle_choose(3), b = heddle_choose(2);
  assert(a < 3 && b < 2);
#ifdef FORBIDDEN
  assert(!(a == 2 && b == 1));  // @pair
#endif
  return 0;
}
