//! rc20: verified executions=1
//! rc20: verified executions=1 flags="--unroll 2"
//! rc20: incomplete executions=0 blocked=1 text="no execution ran to its end" flags="--unroll-loop cut_by_name.c:15=2"
//! rc20: bounded executions=1 blocked=1 flags="--unroll-loop cut_by_name.c:15=2 -- -DCHOOSE"
// A loop that ends is cut if it is named.
#include <heddle/heddle.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
#ifdef CHOOSE
  if (heddle_choose(2) == 0) return 0;
#endif
  for (int i = 0; i < 5; i++) {
    atomic_fetch_add(&x, 1);
  }
  return 0;
}
