//! sc: error=recovery line=@repair text="unless --recovery-writes" flags="--persistency strict"
//! sc: verified executions=4 flags="--persistency strict --recovery-writes"
//! tso: verified executions=4 flags="--persistency px86 --recovery-writes"
//! tso: error=recovery line=@sum flags="--persistency px86 --recovery-writes -- -DNO_FENCE"
//! sc: error=recovery line=@sum flags="--persistency weakest --recovery-writes"
//! sc: verified executions=4 flags="--persistency strict --recovery-writes -- -DNO_FENCE"
//! tso: verified executions=4 flags="--persistency px86 --recovery-writes -- -DEXCHANGE"
// Recovery rolls back by an undo log, and may crash on the way: then it rolls back again. The log may not be gone before the data is
// back.
#include <heddle/heddle.h>
#include <immintrin.h>
#include <stdatomic.h>

HEDDLE_PERSISTENT struct {
  int from;
  int to __attribute__((aligned(64)));
} accounts = {10, 0};

HEDDLE_PERSISTENT struct {
  int from, to;
  int valid __attribute__((aligned(64)));
} undo;

static atomic_int unrelated;

static void persist(void *address) {
  _mm_clwb(address);
  _mm_sfence();
}

int main(void) {
  undo.from = accounts.from;
  undo.to = accounts.to;
  persist(&undo.from);
  undo.valid = 1;
  persist(&undo.valid);
  accounts.from -= 3;
  accounts.to += 3;
  _mm_clwb(&accounts.from);
  persist(&accounts.to);
  undo.valid = 0;
  persist(&undo.valid);
  return 0;
}

void heddle_recovery(void) {
  if (undo.valid) {
    accounts.from = undo.from;  // @repair
    accounts.to = undo.to;
    _mm_clwb(&accounts.from);
    _mm_clwb(&accounts.to);
#if defined EXCHANGE
    atomic_exchange(&unrelated, 1);
#elif !defined NO_FENCE
    _mm_sfence();
#endif
    undo.valid = 0;
    persist(&undo.valid);
  }
  heddle_assert(atomic_load(&unrelated) == 0 || !undo.valid);
  heddle_assert(accounts.from + accounts.to == 10);  // @sum
}
