// A loop that changes something in each round and does not end, for docs/loops.md.
#include <stdatomic.h>

static atomic_int rounds;

int main(void) {
  while (atomic_fetch_add_explicit(&rounds, 1, memory_order_relaxed) >= 0) {
  }
}
