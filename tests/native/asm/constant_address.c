//! rc20: error=unsupported line=@read text="does not understand"
// An address that is a constant of the text: memory, though no operand is.
#include <assert.h>

static int value = 3;

int main(void) {
  int seen;
  __asm__ volatile("movl %c1(%%rip), %0" : "=r"(seen) : "i"(&value));  // @read
  assert(seen == 3);
  return 0;
}
