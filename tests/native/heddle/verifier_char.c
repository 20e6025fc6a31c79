//! rc20: verified executions=256 blocked=0
// A nondeterministic char has all values of its type.
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char c = __VERIFIER_nondet_char();
  return c == 'x' ? 1 : 0;
}
