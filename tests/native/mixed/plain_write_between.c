//! rc20: verified executions=1 blocked=0
//! sc: verified executions=1 blocked=0
// A plain write to an object that is accessed atomically in two sizes.
#include <assert.h>

static int word;

int main(void) {
  word = 1;
  __atomic_fetch_add((char *)&word, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
  word = 1;
  __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
  assert(word == 2);
}
