//! rc20: error=division-by-zero|signed-overflow|signal line=@divide
//! rc20: verified executions=1 flags="-- -DSTART=-2147483647"
// The quotient does not fit; the machine traps.
#ifndef START
#define START (-2147483647 - 1)
#endif

static volatile int number = START, divisor = -1;

int main(void) {
  return number / divisor == 99;  // @divide
}
