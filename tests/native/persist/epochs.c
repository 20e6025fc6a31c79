//! sc,rc20: verified executions=3 blocked=0 flags="--persistency examples/persistency/epochs.cat"
//! sc,rc20: error=recovery line=@order flags="--persistency examples/persistency/epochs.cat -- -DBUG"
//! rc20: rejected text="a persistency model defines `pb`" flags="--persistency models/sc.cat"
// A persistency model from a file: a seq_cst fence separates two epochs.
#include <heddle/heddle.h>
#include <stdatomic.h>

HEDDLE_PERSISTENT int x, y;

int main(void) {
  x = 1;
#ifndef BUG
  atomic_thread_fence(memory_order_seq_cst);
#endif
  y = 1;
  return 0;
}

void heddle_recovery(void) {
  int late = y, early = x;
  heddle_assert(!late || early);  // @order
}
