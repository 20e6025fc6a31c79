//! rc20: rejected text="compile_error.c:7" text="undeclared"
//! rc20: verified executions=1 flags="-- -Dnumber=1"
// Errors of the compiler come out as clang says them.
#include <assert.h>

int main(void) {
  assert(number == 1);
  return 0;
}
