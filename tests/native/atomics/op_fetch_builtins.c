//! rc20: verified executions=1 blocked=0
// The GCC builtins that return the new value, and those on generic types. One thread: one execution.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct point {
  short x, y;
};

int main(void) {
  int8_t narrow = 127;
  assert(__atomic_add_fetch(&narrow, 1, __ATOMIC_RELAXED) == -128);
  assert(__atomic_sub_fetch(&narrow, 1, __ATOMIC_ACQUIRE) == 127);
  unsigned word = 12;
  assert(__atomic_and_fetch(&word, 10u, __ATOMIC_RELEASE) == 8);
  assert(__atomic_or_fetch(&word, 3u, __ATOMIC_ACQ_REL) == 11);
  assert(__atomic_xor_fetch(&word, 1u, __ATOMIC_SEQ_CST) == 10);
  assert(__atomic_nand_fetch(&word, 2u, __ATOMIC_SEQ_CST) == ~2u);
  assert(__atomic_exchange_n(&word, 5u, __ATOMIC_SEQ_CST) == ~2u);
  unsigned expected = 4;
  assert(!__atomic_compare_exchange_n(&word, &expected, 9u, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  assert(expected == 5);
  assert(__atomic_compare_exchange_n(&word, &expected, 9u, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  assert(word == 9);
  struct point p = {1, 2}, q = {3, 4}, r;
  __atomic_exchange(&p, &q, &r, __ATOMIC_SEQ_CST);
  assert(r.x == 1 && r.y == 2);
  __atomic_load(&p, &r, __ATOMIC_ACQUIRE);
  assert(r.x == 3 && r.y == 4);
  q.x = 7;
  __atomic_store(&p, &q, __ATOMIC_RELEASE);
  assert(__atomic_compare_exchange(&p, &q, &r, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  bool flag = false;
  assert(!__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
  assert(__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
  __atomic_clear(&flag, __ATOMIC_RELEASE);
  assert(!__atomic_load_n(&flag, __ATOMIC_RELAXED));
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  assert(__atomic_always_lock_free(sizeof(long), 0));
  assert(__atomic_is_lock_free(sizeof word, &word));
  return 0;
}
