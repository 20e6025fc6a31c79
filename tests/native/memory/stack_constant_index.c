//! rc20: error=out-of-bounds line=@write
//! rc20: verified executions=1 flags="-- -DFITS"
// A local array with a constant index: the compiler could see it, and heddle must say it.
int main(void) {
  volatile int local[4];
#ifdef FITS
  local[3] = 1;
#else
  *(&local[0] + 4) = 1;  // @write
#endif
  return 0;
}
