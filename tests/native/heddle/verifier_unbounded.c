//! rc20: error=unsupported line=@call text="heddle_choose"
//! rc20: verified executions=1 flags="-- -DNOT_CALLED"
// An int could be anything: heddle says so, and what to use instead.
extern int __VERIFIER_nondet_int(void);

static volatile int never = 0;

int main(void) {
#ifdef NOT_CALLED
  if (never)
#endif
    never = __VERIFIER_nondet_int();  // @call
  return 0;
}
