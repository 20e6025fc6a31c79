//! rc20: error=stack-overflow
//! rc20: error=stack-overflow flags="-- -DESCAPING"
//! rc20: verified executions=1 flags="-- -DDEPTH=1000"
//! rc20: verified executions=1 flags="-- -DDEPTH=1000 -DESCAPING"
// Recursion without end, with small locals and with a local whose address gets around; and recursion that is only deep.
#ifndef DEPTH
#define DEPTH 0
#endif

static volatile int depth = DEPTH;  // 0: no end
static volatile int *last;
static volatile int returned;

static __attribute__((noinline)) void descend(int level) {
#ifdef ESCAPING
  volatile int mine = level;
  last = &mine;
#endif
  if (depth > 0 && level == depth) return;
  descend(level + 1);
  returned = returned + 1;  // so that this is no loop
}

int main(void) {
  descend(0);
  return last && returned == 0;
}
