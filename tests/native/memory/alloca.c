//! rc20: verified executions=1
//! rc20: error=dead-frame line=@dead flags="-- -DDEAD"
//! rc20: error=out-of-bounds line=@beyond flags="-- -DBEYOND"
// alloca and arrays of variable length live as long as their function.
#include <alloca.h>
#include <assert.h>

static volatile int length = 5;

static __attribute__((noinline)) int *fill(int *sum) {
  int n = length;
  int array[n];
  int *block = alloca(n * sizeof *block);
  for (int i = 0; i < n; i++) array[i] = block[i] = i;
#ifdef BEYOND
  array[n] = 1;  // @beyond
#endif
  *sum = 0;
  for (int i = 0; i < n; i++) *sum += array[i] + block[n - 1 - i];
  return block;
}

int main(void) {
  int sum;
  int *block = fill(&sum);
  assert(sum == 20);
#ifdef DEAD
  return *block;  // @dead
#else
  return block == 0;
#endif
}
