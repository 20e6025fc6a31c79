//! rc20: verified executions=1
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main(void) {
  char* end;
  assert(atoi("42x") == 42 && atol(" -7") == -7 && strtol("0x1f", &end, 0) == 31 && *end == 0);
  assert(strtol("z", &end, 36) == 35 && strtol("077", 0, 0) == 63 && strtoul("10", 0, 2) == 2);
  assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
  const char* nothing = "none";
  assert(strtol(nothing, &end, 10) == 0 && end == nothing);
  assert(strtod("2.5e1!", &end) == 25.0 && *end == '!' && atof("0.125") == 0.125);
  int numbers[] = {5, 3, 9, 1, 7, 1, 0, 8};
  qsort(numbers, 8, sizeof *numbers, compare);
  for (int i = 1; i < 8; ++i) assert(numbers[i - 1] <= numbers[i]);
  int key = 7, missing = 6;
  assert(*(int*)bsearch(&key, numbers, 8, sizeof key, compare) == 7);
  assert(bsearch(&missing, numbers, 8, sizeof key, compare) == 0);
  assert(abs(-3) == 3 && div(7, 2).rem == 1 && getenv("HOME") == 0 && getpid() > 0 && isatty(1) == 0);
  assert(sysconf(_SC_NPROCESSORS_ONLN) > 0);
  srand(1);
  int first = rand();
  srand(1);
  assert(rand() == first && first >= 0 && first <= RAND_MAX);
  unsigned seed = 3;
  assert(rand_r(&seed) >= 0 && seed != 3);
}
