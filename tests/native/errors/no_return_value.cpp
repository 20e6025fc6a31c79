//! rc20: error=unreachable|undefined-behaviour line=@error
//! rc20: verified executions=1 flags="-- -DINPUT=1"
// A function that should return something runs off its end.
#ifndef INPUT
#define INPUT 0
#endif

volatile int input = INPUT;

int sign(int number) {
  if (number > 0) return 1;
  if (number < 0) return -1;  // @error
}

int main() {
  return sign(input) == 99;
}
