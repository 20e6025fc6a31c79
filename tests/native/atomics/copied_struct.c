//! rc20: verified executions=1 blocked=0
//! rc20: verified executions=1 blocked=0 flags="--equivalence rf"
//! rc20: verified executions=1 blocked=0 flags="--races=off"
//! rc20: verified executions=1 blocked=0 flags="-- -O2"
//! sc: verified executions=1 blocked=0
// A struct with several atomics is copied onto another one that has values of its own: all of the copy is what the source
// was, whether it is assigned, copied onto itself or to where it overlaps, passed, or returned.
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

struct Three {
  atomic_int a, b, c;
};

static void set(struct Three *three, int a, int b, int c) {
  atomic_store(&three->a, a);
  atomic_store(&three->b, b);
  atomic_store(&three->c, c);
}

static void check(struct Three *three, int a, int b, int c) {
  assert(atomic_load(&three->a) == a);
  assert(atomic_load(&three->b) == b);
  assert(atomic_load(&three->c) == c);
}

static struct Three changed(struct Three three) {
  struct Three copy;
  memcpy(&copy, &three, sizeof copy);
  atomic_fetch_add(&copy.b, 10);
  return copy;
}

int main(void) {
  struct Three x, y;
  atomic_init(&x.a, 0), atomic_init(&x.b, 0), atomic_init(&x.c, 0);
  memset(&y, 0, sizeof y);
  set(&x, 1, 2, 3);
  set(&y, 7, 8, 9);
  memcpy(&y, &x, sizeof y);
  check(&y, 1, 2, 3);
  memmove(&x, &x, sizeof x);
  check(&x, 1, 2, 3);
  memmove(&x.b, &x.a, 2 * sizeof x.a);
  check(&x, 1, 1, 2);
  set(&x, 1, 2, 3);
  memmove(&x.a, &x.b, 2 * sizeof x.a);
  check(&x, 2, 3, 3);
  y = changed(x);
  check(&y, 2, 13, 3);
  y = x;
  check(&y, 2, 3, 3);
  const struct Three swapped = y;
  set(&x, 4, 5, 6);
  y = x;
  x = swapped;
  check(&y, 4, 5, 6);
  check(&x, 2, 3, 3);
}
