//! rc20: error=unreachable line=@here
//! rc20: verified executions=1 flags="-- -DCOLOUR=2"
// __builtin_unreachable is a promise; here it is broken.
#ifndef COLOUR
#define COLOUR 3
#endif

static volatile int colour = COLOUR;

static int code(int number) {
  switch (number) {
    case 1: return 10;
    case 2: return 20;
    default: __builtin_unreachable();  // @here
  }
}

int main(void) {
  return code(colour) == 99;
}
