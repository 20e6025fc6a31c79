//! rc20: verified executions=1
// Compound assignment to an atomic float or double is a loop around a compare-exchange that clang writes.
#include <assert.h>
#include <stdatomic.h>

int main(void) {
  _Atomic float f = 1.5f;
  f += 2.0f;
  assert(f == 3.5f);
  f *= 2.0f;
  assert(f == 7.0f);
  _Atomic double d = 1.0;
  d /= 4.0;
  assert(d == 0.25);
  _Atomic int i = 7;
  i *= 3;
  assert(i == 21);
  i <<= 1;
  assert(i == 42);
  i %= 5;
  assert(i == 2);
  _Atomic unsigned char c = 200;
  c += 100;
  assert(c == 44);
  return 0;
}
