//! rc20: error=uninitialised-read line=@sum
//! rc20: verified executions=1 flags="-- -DCOUNT=4"
// A local array of which one element was forgotten.
#ifndef COUNT
#define COUNT 3
#endif

static volatile int last = 4;

int main(void) {
  int numbers[4];
  for (int i = 0; i < COUNT; i++) numbers[i] = i;
  int sum = 0;
  for (int i = 0; i < last; i++) sum += numbers[i];  // @sum
  return sum == 99;
}
