//! rc20: verified executions=1 blocked=0
//! rc20: verified executions=1 blocked=0 flags="--races=off"
//! sc: verified executions=1 blocked=0
// Each plain write to an atomic object counts, with nothing in between as well, and so does a write to a part of it.
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int x;
static struct {
  atomic_int a, b;
} pair;

int main(void) {
  atomic_store(&x, 7);
  atomic_init(&x, 1);
  atomic_init(&x, 2);
  assert(atomic_load(&x) == 2);
  atomic_store(&pair.a, 1);
  atomic_store(&pair.b, 2);
  const long both = 3 | 4L << 32;
  memcpy(&pair, &both, sizeof both);
  assert(atomic_load(&pair.a) == 3 && atomic_load(&pair.b) == 4);
  long read;
  memcpy(&read, &pair, sizeof read);
  assert(read == both);
}
