//! rc20: error=undefined-behaviour line=@shift flags="--ub"
//! rc20: verified executions=1
//! rc20: verified executions=1 flags="--ub -- -DBITS=31"
// A shift by the width or more.
#ifndef BITS
#define BITS 32
#endif

static volatile unsigned number = 1, bits = BITS;

int main(void) {
  return (number << bits) == 99;  // @shift
}
