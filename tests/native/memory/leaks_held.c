//! rc20: error=memory-leak line=@allocate flags="--leaks=all"
//! rc20: verified executions=1 blocked=0 flags="--leaks"
//! rc20: verified executions=1 blocked=0 flags="--leaks=unreachable"
//! rc20: verified executions=1 blocked=0 flags="--leaks=all -- -DGOOD"
// What a global points to at the end is reachable, and still allocated.
#include <stdlib.h>

static int* global;

int main(void) {
  global = malloc(sizeof *global);  // @allocate
  *global = 1;
#ifdef GOOD
  free(global);
#endif
  return 0;
}
