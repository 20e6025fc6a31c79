//! rc20: error=uninitialised-read line=@use
//! rc20: verified executions=1 flags="-- -DSET"
// A local that is set on one path only.
static volatile int input = 0;

static __attribute__((noinline)) int choose(int number) {
  int result;
#ifdef SET
  result = 5;
#endif
  if (number > 0) result = 1;
  if (result == 7) return 2;  // @use
  return 0;
}

int main(void) {
  return choose(input);
}
