//! rc20: verified executions=1
// Bit fields wrap, keep their sign, and leave their neighbours alone.
#include <assert.h>

struct flags {
  unsigned low : 3;
  int middle : 5;
  unsigned long high : 40;
  _Bool last : 1;
};

static struct flags global = {1, -1, 0xffffffffffUL, 1};

int main(void) {
  struct flags *volatile pointer = &global;
  struct flags *flags = pointer;
  flags->low += 7;
  assert(flags->low == 0 && flags->middle == -1 && flags->high == 0xffffffffffUL && flags->last);
  flags->middle = 15;
  flags->high++;
  assert(flags->middle == 15 && flags->high == 0 && flags->low == 0 && flags->last == 1);
  return 0;
}
