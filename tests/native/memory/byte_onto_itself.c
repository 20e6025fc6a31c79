//! rc20: verified executions=1
//! sc: verified executions=1
//! rc20: error=uninitialised-read line=@use flags="-- -DBUG"
// A byte that is copied onto itself: initialised or not, nothing changes.
#include <assert.h>
#include <stdlib.h>

static volatile unsigned count = 2;
struct cell {
  char byte;
};

static int step(void) {
  for (unsigned i = 0; i < 2; i++) count = count * 3 + i;
  struct cell *cell = malloc(sizeof *cell);
  cell->byte = cell->byte;
#ifndef BUG
  cell->byte = 7;
  cell->byte = cell->byte;
#endif
  const int result = cell->byte;  // @use
  free(cell);
  return result;
}
static int (*const steps[])(void) = {step};

int main(int argc, char **argv) {
  (void)argv;
  assert(steps[argc - 1]() == 7);
  return 0;
}
