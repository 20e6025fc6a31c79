//! rc20: verified executions=2 blocked=2
//! rc20: error=assertion-failure line=@assert flags="-- -DWRONG"
// Of four values, those that do not satisfy the assumption are blocked.
#include <heddle/heddle.h>

int main(void) {
  unsigned value = heddle_choose(4);
  heddle_assume(value % 2 == 1);
#ifdef WRONG
  heddle_assert(value == 1);  // @assert
#else
  heddle_assert(value == 1 || value == 3);
#endif
  return 0;
}
