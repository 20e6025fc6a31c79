//! rc20: error=signed-overflow line=@add flags="--ub"
//! rc20: verified executions=1
//! rc20: verified executions=1 flags="--ub -- -DSTART=2147483646"
//! rc20: error=signed-overflow line=@add flags="--ub -- -DTYPE=long -DSTART=9223372036854775807"
//! rc20: verified executions=1 flags="--ub -- -DTYPE=unsigned"
// Signed overflow is undefined, unsigned is not; looked for with --ub.
#ifndef TYPE
#define TYPE int
#endif
#ifndef START
#define START 2147483647
#endif

static volatile TYPE number = START;

int main(void) {
  TYPE next = number + 1;  // @add
  return next == 99;
}
