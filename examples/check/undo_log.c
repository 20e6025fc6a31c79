//! tso: verified flags="--persistency px86"
//! tso: error=recovery line=@sum flags="--persistency px86 -- -DBUG"
//
// A transfer between two accounts in persistent memory, made failure-atomic by an undo log. The old balances go to the log, which is made
// valid when they have persisted. Then the balances are changed in place, and the log is invalid again when those have persisted.
// Recovery takes the balances from a log that is valid.
//
// BUG: the log becomes valid without a wait for what it says.
#include <heddle/heddle.h>
#include <immintrin.h>

HEDDLE_PERSISTENT struct {
  int from;
  int to __attribute__((aligned(64)));
} accounts = {10, 0};

HEDDLE_PERSISTENT struct {
  int from, to;
  int valid __attribute__((aligned(64)));
} undo;

static void flush(void *address) { _mm_clwb(address); }

static void transfer(int amount) {
  undo.from = accounts.from;
  undo.to = accounts.to;
  flush(&undo.from);
#ifndef BUG
  _mm_sfence();
#endif
  undo.valid = 1;
  flush(&undo.valid);
  _mm_sfence();

  accounts.from -= amount;
  accounts.to += amount;
  flush(&accounts.from);
  flush(&accounts.to);
  _mm_sfence();

  undo.valid = 0;
  flush(&undo.valid);
  _mm_sfence();
}

int main(void) {
  transfer(3);
  return 0;
}

void heddle_recovery(void) {
  int valid = undo.valid;
  int from = valid ? undo.from : accounts.from;
  int to = valid ? undo.to : accounts.to;
  heddle_assert(from + to == 10);  // @sum
}
