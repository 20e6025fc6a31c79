//! sc: verified executions=2 blocked=0 flags="--persistency strict --recovery-writes -- -DNOTHING"
//! sc: verified executions=4 blocked=0 flags="--persistency strict --recovery-writes -- -DONE"
//! sc: verified executions=4 blocked=0 flags="--persistency weakest --recovery-writes -- -DONE"
//! sc: verified executions=3 blocked=0 flags="--persistency strict --recovery-writes -- -DTWO"
//! sc: verified executions=4 blocked=0 flags="--persistency weakest --recovery-writes -- -DTWO"
//! sc: verified executions=3 blocked=0 flags="--persistency weakest --recovery-writes -- -DPARTS"
//! sc: verified executions=2 blocked=0 flags="--persistency weakest --recovery-writes -- -DOWN"
//! sc: error=recovery line=@heap flags="--persistency strict --recovery-writes -- -DHEAP"
//! sc: verified executions=1 flags="--persistency strict --recovery-writes -- -DKNOWN"
// How many executions a crash of recovery adds.
#include <heddle/heddle.h>
#include <stdlib.h>

HEDDLE_PERSISTENT int x, y;
HEDDLE_PERSISTENT union {
  long long all;
  int half[2];
} word;
HEDDLE_PERSISTENT int *pointer;
static int volatile_count;
static _Thread_local int local_count;

int main(void) {
#if defined NOTHING || defined ONE
  x = 1;
#endif
  return 0;
}

void heddle_recovery(void) {
  heddle_assert(++volatile_count == 1 && ++local_count == 1);  // it starts anew each time
#if defined NOTHING
  // It writes nothing, so that it need not crash again: the first crash has left x, or not.
  int found = x;
  (void)found;
#elif defined ONE
  // x, or not; then the write is lost, or not. What it finds then it has found before, or written.
  int found = x;
  heddle_assert(found == 0 || found == 1 || found == 2);
  x = 2;
  heddle_assert(x == 2);
#elif defined TWO
  // Of two writes those that persist: as a program's own.
  int first = x, second = y;
  (void)first, (void)second;
  x = 1;
  y = 1;
#elif defined PARTS
  // All of it and then a half: nothing, the first, both.
  long long found = word.all;
  heddle_assert(found == 0 || found == 0x100000001 || found == 0x100000002);
  word.all = 0x100000001;
  word.half[0] = 2;
#elif defined OWN
  // After the second crash it reads its own writes.
  int found = x;
  x = found + 1;
  heddle_assert(x == found + 1);
#elif defined HEAP
  if (pointer) heddle_assert(*pointer == 1);  // @heap
  pointer = malloc(sizeof *pointer);
  *pointer = 1;
#elif defined KNOWN
  int first = x, second = y;
  heddle_assert(first == 0 || second == 2);
  x = 1;
  y = 2;
  heddle_persisted();
#endif
}
