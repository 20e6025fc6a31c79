//! rc20: error=abort|signal|unreachable line=@trap
//! rc20: verified executions=1 flags="-- -DINPUT=1"
// __builtin_trap.
#ifndef INPUT
#define INPUT 0
#endif

static volatile int input = INPUT;

int main(void) {
  if (input == 0) __builtin_trap();  // @trap
  return 0;
}
