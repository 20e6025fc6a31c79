//! rc20: error=non-termination line=@error
// Both ways out of a branch lead back to the beginning of the loop.
#include <stdatomic.h>

static atomic_int y;
static int plain;

int main(void) {
  int seen = 0, result;
  for (;;) {  // @error
    result = 1;
    if (seen == 0) result = 2;
    seen = atomic_load(&y);
    if (seen == 2) break;
    if (plain == 0) result = 1;
  }
  return result;
}
