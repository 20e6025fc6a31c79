//! rc20: verified executions=1 blocked=0
//! sc: verified executions=1 blocked=0 flags="--equivalence rf"
//! rc20: verified executions=1 blocked=0 flags="--races off"
// A structure with atomics that is passed by value, without a copy that clang makes first: the function gets the values that
// the atomics have.
#include <assert.h>
#include <stdatomic.h>

struct Pair {
  unsigned long first;
  _Atomic(unsigned) second;
};

static struct Pair last(struct Pair pair, unsigned n) { return n == 0 ? pair : last(pair, n - 1); }

int main(void) {
  struct Pair pair = {5, 1};
  __atomic_fetch_add(&pair.first, 5, __ATOMIC_ACQ_REL);
  atomic_fetch_add(&pair.second, 2);
  struct Pair copy = last(pair, 2);
  assert(copy.first == 10);
  assert(copy.second == 3);
  pair = last(copy, 1);
  assert(pair.first == 10 && pair.second == 3);
}
