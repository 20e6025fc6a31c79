//! rc20: error=division-by-zero line=@divide
//! rc20: error=division-by-zero line=@modulo flags="-- -DMODULO"
//! rc20: error=division-by-zero line=@unsigned flags="-- -DUNSIGNED"
//! rc20: verified executions=1 flags="-- -DDIVISOR=1"
//! rc20: verified executions=1 flags="-- -DFLOAT"
// Integers only; floating point has infinities.
#ifndef DIVISOR
#define DIVISOR 0
#endif

static volatile int divisor = DIVISOR;

int main(void) {
#if defined MODULO
  return 7 % divisor;  // @modulo
#elif defined UNSIGNED
  return (int)(7ul / (unsigned long)divisor) == 99;  // @unsigned
#elif defined FLOAT
  return 7.0 / divisor < 0;
#else
  return 7 / divisor == 99;  // @divide
#endif
}
