//! rc20: error=assertion-failure line=@late flags="--unroll 10"
//! rc20: incomplete executions=0 flags="--unroll 3"
// The error comes in the fifth round: found with a bound of ten; with three the answer is bounded, never verified.
#include <assert.h>
#include <stdatomic.h>

static atomic_int counter;

int main(void) {
  for (;;) {
    int round = atomic_fetch_add(&counter, 1);
    assert(round < 5);  // @late
  }
}
