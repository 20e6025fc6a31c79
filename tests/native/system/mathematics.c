//! rc20: verified executions=1 blocked=0
// Functions with a second result.
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>

int main(void) {
  int exponent = 7;
  assert(frexp(12.0, &exponent) == 0.75 && exponent == 4);
  assert(frexp(-0.125, &exponent) == -0.5 && exponent == -2);
  assert(frexp(0.0, &exponent) == 0 && exponent == 0);
  assert(frexp(5e-324, &exponent) == 0.5 && exponent == -1073);
  assert(isinf(frexp(INFINITY, &exponent)) && isnan(frexp(NAN, &exponent)));
  assert(frexpf(8.0f, &exponent) == 0.5f && exponent == 4);
  assert(frexpl(3.0L, &exponent) == 0.75L && exponent == 2);
  double whole;
  assert(modf(3.25, &whole) == 0.25 && whole == 3);
  assert(modf(-3.25, &whole) == -0.25 && whole == -3);
  assert(modf(-INFINITY, &whole) == 0 && isinf(whole) && signbit(modf(-2.0, &whole)));
  float part;
  assert(modff(1.5f, &part) == 0.5f && part == 1);
  long double most;
  assert(modfl(1.5L, &most) == 0.5L && most == 1);
  double sine, cosine;
  sincos(0.0, &sine, &cosine);
  assert(sine == 0 && cosine == 1);
  return 0;
}
