//! rc20: verified executions=1 text="getenv found nothing, as only what the program itself has put there"
//! rc20: error=assertion-failure line=@set flags="--explore getenv"
//! rc20: verified executions=2 flags="--explore getenv -- -DCAREFUL"
#include <assert.h>
#include <stdlib.h>

int main(void) {
  const char* const value = getenv("VERBOSE");
#ifdef CAREFUL
  assert(value == 0 || value[0] == '1');
#else
  assert(value == 0);  // @set
#endif
  return 0;
}
