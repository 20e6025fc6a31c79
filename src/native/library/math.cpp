// The functions of mathematics that read a text or give a second result through a pointer. The others are the host's.

#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace {

template <class Real>
Real split(Real value, int* exponent, int (*exponentOf)(Real), Real (*scale)(Real, int)) {
  *exponent = 0;
  if (value == 0 || __builtin_isnan(value) || __builtin_isinf(value)) return value;
  *exponent = exponentOf(value) + 1;
  return scale(value, -*exponent);
}

template <class Real>
Real parts(Real value, Real* whole, Real (*truncate)(Real), Real (*withSign)(Real, Real)) {
  *whole = truncate(value);
  return withSign(__builtin_isinf(value) ? 0 : value - *whole, value);
}

// The last three bits of the quotient that remainder has rounded, to even where it lies halfway. To take multiples of y away loses
// no bit of x.
template <class Real>
int lastBitsOfQuotient(Real x, Real y, Real (*withoutMultiples)(Real, Real)) {
  if (__builtin_isnan(x) || __builtin_isinf(x) || __builtin_isnan(y) || y == 0) return 0;
  const bool negative = __builtin_signbit(x) != __builtin_signbit(y);
  if (__builtin_signbit(x)) x = -x;
  if (__builtin_signbit(y)) y = -y;
  if (__builtin_isinf(y)) return 0;
  x = withoutMultiples(x, 8 * y);  // all of x if that is infinite
  int quotient = 0;
  for (int bit = 4; bit != 0; bit /= 2) {
    if (x < static_cast<Real>(bit) * y) continue;
    x -= static_cast<Real>(bit) * y;
    quotient += bit;
  }
  if (x > y - x || (x == y - x && quotient % 2 != 0)) ++quotient;
  quotient &= 7;
  return negative ? -quotient : quotient;
}

// The gamma function of a negative number is negative between an odd number and the next.
template <class Real>
int signOfGamma(Real x, Real (*down)(Real), Real (*withoutMultiples)(Real, Real)) {
  if (x == 0) return __builtin_signbit(x) ? -1 : 1;
  if (!(x < 0) || __builtin_isinf(x) || down(x) == x) return 1;
  return withoutMultiples(down(x), 2) == 0 ? 1 : -1;
}

double notANumber(const char* tag) {
  char text[96] = "nan(";
  const size_t length = strnlen(tag, sizeof text - 6);
  memcpy(text + 4, tag, length);
  text[4 + length] = ')';
  return strtod(text, nullptr);
}

}  // namespace

extern "C" {

double frexp(double value, int* exponent) { return split<double>(value, exponent, ilogb, scalbn); }
float frexpf(float value, int* exponent) { return split<float>(value, exponent, ilogbf, scalbnf); }
long double frexpl(long double value, int* exponent) { return split<long double>(value, exponent, ilogbl, scalbnl); }

double modf(double value, double* whole) { return parts<double>(value, whole, trunc, copysign); }
float modff(float value, float* whole) { return parts<float>(value, whole, truncf, copysignf); }
long double modfl(long double value, long double* whole) { return parts<long double>(value, whole, truncl, copysignl); }

double remquo(double x, double y, int* quotient) {
  *quotient = lastBitsOfQuotient<double>(x, y, fmod);
  return remainder(x, y);
}
float remquof(float x, float y, int* quotient) {
  *quotient = lastBitsOfQuotient<float>(x, y, fmodf);
  return remainderf(x, y);
}
long double remquol(long double x, long double y, int* quotient) {
  *quotient = lastBitsOfQuotient<long double>(x, y, fmodl);
  return remainderl(x, y);
}

double lgamma_r(double value, int* sign) {
  *sign = signOfGamma<double>(value, floor, fmod);
  return lgamma(value);
}
float lgammaf_r(float value, int* sign) {
  *sign = signOfGamma<float>(value, floorf, fmodf);
  return lgammaf(value);
}
long double lgammal_r(long double value, int* sign) {
  *sign = signOfGamma<long double>(value, floorl, fmodl);
  return lgammal(value);
}

double nan(const char* tag) { return notANumber(tag); }
float nanf(const char* tag) { return static_cast<float>(notANumber(tag)); }
long double nanl(const char* tag) { return notANumber(tag); }

void sincos(double value, double* sine, double* cosine) {
  *sine = sin(value);
  *cosine = cos(value);
}
void sincosf(float value, float* sine, float* cosine) {
  *sine = sinf(value);
  *cosine = cosf(value);
}

}  // extern "C"
