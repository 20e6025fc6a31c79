//! rc20: verified executions=1 flags="--unroll 3"
// A loop that counts to a constant needs no bound, and is not cut.
#include <assert.h>
#include <stdatomic.h>

static atomic_int sum;

int main(void) {
  for (int i = 1; i <= 10; i++) atomic_fetch_add(&sum, i);
  assert(atomic_load(&sum) == 55);
  return 0;
}
