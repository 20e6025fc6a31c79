//! rc20: verified executions=1 text="rand gave one fixed sequence of numbers"
//! rc20: verified executions=9 flags="--explore rand=3"
//! sc: verified executions=4 flags="--explore rand"
//! rc20: error=assertion-failure line=@even flags="--explore rand -- -DEVEN"
#include <assert.h>
#include <stdlib.h>

int main(void) {
  const int a = rand();
  const int b = rand();
#ifdef EVEN
  assert(a % 2 == 0);  // @even
#endif
  (void)a;
  (void)b;
  return 0;
}
