//! rc20: incomplete executions=0 flags="--unroll 3"
//! rc20: incomplete executions=0 flags="--unroll-loop unroll.c:18=2"
//! rc20: verified executions=1 flags="--unroll 3 -- -DROUNDS=2"
//! rc20: verified executions=1 flags="-- -DROUNDS=50"
// A loop whose end the compiler does not know. A run that was cut says so.
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 40
#endif

static atomic_int counter;
static volatile int rounds = ROUNDS;

int main(void) {
  int n = rounds;
  // The next line is named by --unroll-loop.
  while (atomic_load_explicit(&counter, memory_order_relaxed) < n) {
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
  }
  return 0;
}
