//! rc20: error=no-progress line=@do|@loop flags="--stuck 0.2"
//! rc20: verified executions=1 flags="-- -DROUNDS=20000000"
// A loop without a visible operation and without an end; and a long one.
static volatile unsigned long rounds =
#ifdef ROUNDS
    ROUNDS;
#else
    0;
#endif

int main(void) {
  unsigned long n = 0;
  unsigned long hash = 1;
  do {  // @do
    hash = hash * 31 + n;  // @loop
  } while (++n != rounds);
  return hash == 5;
}
