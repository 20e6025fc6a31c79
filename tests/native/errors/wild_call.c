//! rc20: error=wild-call line=@call flags="-- -DDATA"
//! rc20: error=wild-call line=@call flags="-- -DNUMBER"
//! rc20: verified executions=1
// A call through a pointer that is no function: into data, and to a number.
#include <stdint.h>

typedef int (*function)(int);

static int twice(int number) {
  return 2 * number;
}

static unsigned char bytes[16] = {0xf4, 0xf4, 0xf4, 0xf4};
#if defined DATA
static volatile uintptr_t target = (uintptr_t)bytes;
#elif defined NUMBER
static volatile uintptr_t target = 0x123450;
#else
static volatile uintptr_t target = (uintptr_t)twice;
#endif

int main(void) {
  int result = ((function)target)(2);  // @call
  return result + bytes[15] != 4 || twice(1) != 2;
}
