//! rc20: incomplete text="went round the loop at" text="too_many_rounds.c:21 " text="--unroll 8, or --unroll-loop" text="too_many_rounds.c:21=8" text="with --unroll 4 there is no error in 2 executions"
//! rc20: bounded flags="--unroll 8"
//! rc20: incomplete text="went round the loop at" text="too_many_rounds.c:26 " text="--no-spurious" flags="-j 1 -- -DWEAK"
//! rc20: verified executions=2 blocked=0 flags="--no-spurious -- -DWEAK"
//! rc20: incomplete text="went round the loop at" text="too_many_rounds.c:32 " text="the loop ends, but after too many rounds" flags="-- -DCOUNTED"
//! rc20: bounded flags="--unroll-loop too_many_rounds.c:32=8 -- -DCOUNTED"
//! rc20: incomplete text="went round the loop at" text="too_many_rounds.c:37 " flags="-- -DINNER"
//! rc20: incomplete text="main was at" text="too_many_rounds.c:15 3" text="--unroll 8" flags="-- -DCALL"
// An execution that is too large says which loop made it so, and what to do about it.
#include <heddle/heddle.h>
#include <stdatomic.h>

static atomic_int x;
static void add(void) {
  atomic_fetch_add(&x, 1); } static void (*volatile called)(void) = add;

int main(void) {
  int rounds = 0;
  if (heddle_choose(2) == 0) return 0;
#if !defined WEAK && !defined COUNTED && !defined INNER && !defined CALL
  while (atomic_fetch_add(&x, 2) % 2 == 0) {
  }
#endif
#ifdef WEAK
  int expected = 0;
  while (!atomic_compare_exchange_weak(&x, &expected, 1)) {
    rounds++;
    expected = 0;
  }
#endif
#ifdef COUNTED
  for (int i = 0; i < 50000; i++) {
    atomic_fetch_add(&x, 1);
  }
#endif
#ifdef INNER
  while (atomic_fetch_add(&x, 2) % 2 == 0) {
    for (int i = 0; i < 3; i++) atomic_fetch_add(&x, 2);
  }
#endif
#ifdef CALL
  for (;;) called();
#endif
  return rounds;
}
