//! rc20: incomplete executions=0 flags="--unroll 2"
//! rc20: verified executions=1 flags="--unroll 5"
//! rc20: incomplete executions=0 flags="--unroll 5 --unroll-loop nested.c:15=1"
//! rc20: verified executions=1 flags="--unroll 1 --unroll-loop nested.c:14=5 --unroll-loop nested.c:15=5"
// A bound is for one loop, and anew each time the loop is entered. Lines 14 and 15 are named above.
#include <assert.h>
#include <stdatomic.h>

static atomic_int outer, inner, all;

#define MORE(counter) (atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed) % 4 != 3)

int main(void) {
  while (MORE(outer)) {
    while (MORE(inner)) {
      atomic_fetch_add_explicit(&all, 1, memory_order_relaxed);
    }
  }
  assert(atomic_load(&all) == 9);
  return 0;
}
