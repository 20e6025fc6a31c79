//! rc20: error=uninitialised-read line=@use
//! rc20: verified executions=1 flags="-- -DSET"
// The second call finds the first one's values on the stack; they are not its own.
static int *volatile escape;
static volatile int sum;

static __attribute__((noinline)) void fill(int set) {
  int numbers[4];
  escape = numbers;
  if (set) {
    for (int i = 0; i < 4; i++) escape[i] = i;
  }
  sum += escape[2];  // @use
}

int main(void) {
  fill(1);
#ifdef SET
  fill(1);
#else
  fill(0);
#endif
  return sum == 99;
}
