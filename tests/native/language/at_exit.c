//! rc20: verified executions=1
//! rc20: error=assertion-failure line=@last flags="-- -DWRONG"
// Functions registered with atexit run in reverse order, also when exit is called deep down.
#include <assert.h>
#include <stdlib.h>

static int step;

static void first(void) {
#ifdef WRONG
  assert(step == 1);  // @last
#else
  assert(step == 2);
#endif
}

static void second(void) {
  assert(step == 1);
  step = 2;
}

static void leave(int depth) {
  if (depth == 0) exit(0);
  leave(depth - 1);
}

int main(void) {
  atexit(first);
  atexit(second);
  step = 1;
  leave(3);
  abort();
}
