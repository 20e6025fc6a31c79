// The functions of mathematics that give a second result through a pointer. The others are the host's.

#include <math.h>

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

}  // namespace

extern "C" {

double frexp(double value, int* exponent) { return split<double>(value, exponent, ilogb, scalbn); }
float frexpf(float value, int* exponent) { return split<float>(value, exponent, ilogbf, scalbnf); }
long double frexpl(long double value, int* exponent) { return split<long double>(value, exponent, ilogbl, scalbnl); }

double modf(double value, double* whole) { return parts<double>(value, whole, trunc, copysign); }
float modff(float value, float* whole) { return parts<float>(value, whole, truncf, copysignf); }
long double modfl(long double value, long double* whole) { return parts<long double>(value, whole, truncl, copysignl); }

void sincos(double value, double* sine, double* cosine) {
  *sine = sin(value);
  *cosine = cos(value);
}
void sincosf(float value, float* sine, float* cosine) {
  *sine = sinf(value);
  *cosine = cosf(value);
}

}  // extern "C"
