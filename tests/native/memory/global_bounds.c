//! rc20: error=out-of-bounds line=@write flags="-- -DINDEX=4"
//! rc20: error=out-of-bounds line=@write flags="-- -DINDEX=-1"
//! rc20: verified executions=1 flags="-- -DINDEX=3"
// A global array between two others: a write past its end must not land in a neighbour unseen.
#include <assert.h>

int before[4], middle[4], after[4];
int position = INDEX;

int main(void) {
  middle[position] = 1;  // @write
  assert(before[3] == 0 && after[0] == 0);
  return 0;
}
