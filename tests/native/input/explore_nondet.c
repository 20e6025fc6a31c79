//! rc20: error=unsupported line=@error text="--explore nondet=A..B"
//! rc20: verified executions=25 flags="--explore nondet=-2..2"
//! rc20: verified executions=6 flags="--explore nondet=-1..1 -- -DUNSIGNED"
//! rc20: error=assertion-failure line=@sum flags="--explore nondet=0..3 -- -DBUG"
#include <assert.h>

int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  const int a = __VERIFIER_nondet_int();  // @error
#ifdef UNSIGNED
  const int b = (int)__VERIFIER_nondet_uint();  // 0 and 1: there is nothing below
  assert(b == 0 || b == 1);
#else
  const int b = __VERIFIER_nondet_int();
#endif
#ifdef BUG
  assert(a + b != 6);  // @sum
#endif
  return a == b;
}
