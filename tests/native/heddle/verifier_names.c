//! rc20: verified executions=2 blocked=0
//! rc20: error=assertion-failure line=@error flags="-- -DERROR"
//! rc20: error=assertion-failure line=@error-2 flags="-- -DREACH"
// The names of SV-COMP. Two executions: the boolean.
#include <stdbool.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);
extern void reach_error(void);
extern bool __VERIFIER_nondet_bool(void);

int main(void) {
  bool coin = __VERIFIER_nondet_bool();
  __VERIFIER_assume(coin == 0 || coin == 1);
#ifdef ERROR
  if (coin) __VERIFIER_error();  // @error
#endif
#ifdef REACH
  if (!coin) reach_error();  // @error-2
#endif
  return 0;
}
