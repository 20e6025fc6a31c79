//! rc20: error=assertion-failure line=@assert text="total == 4"
//! sc: error=assertion-failure line=@assert thread=0
//! rc20: verified executions=1 flags="-- -DTOTAL=4"
//! rc20: verified executions=1 flags="-- -DNDEBUG"
// assert, with the text of the condition.
#include <assert.h>

#ifndef TOTAL
#define TOTAL 3
#endif

int main(void) {
  int total = TOTAL;
  assert(total == 4);  // @assert
  return total == 99;
}
