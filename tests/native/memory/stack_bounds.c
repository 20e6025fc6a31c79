//! rc20: error=out-of-bounds line=@write flags="-- -DINDEX=4"
//! rc20: error=out-of-bounds line=@write flags="-- -DINDEX=-1"
//! rc20: verified executions=1 flags="-- -DINDEX=3"
// A local array with an index that the compiler does not know.
#include <assert.h>

static int position = INDEX;

int main(void) {
  int before[2] = {0, 0};
  int local[4] = {0, 0, 0, 0};
  int after[2] = {0, 0};
  local[position] = 1;  // @write
  assert(before[position & 1] + after[position & 1] == 0);
  return 0;
}
