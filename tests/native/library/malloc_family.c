//! rc20: verified executions=1
//! rc20: error=out-of-bounds line=@write flags="-- -DBOUNDS"
//! rc20: error=uninitialised-read line=@read flags="-- -DUNINITIALISED"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int* a = malloc(2 * sizeof *a);
  a[0] = 1;
#ifdef UNINITIALISED
  if (a[1]) return 1;  // @read
#endif
  a = realloc(a, 4 * sizeof *a);
  assert(a[0] == 1);
  a[3] = 4;
#ifdef BOUNDS
  a[4] = 5;  // @write
#endif
  a = reallocarray(a, 1, sizeof *a);
  assert(a[0] == 1 && malloc_usable_size(a) == sizeof *a);
  free(a);
  int* zero = calloc(3, sizeof *zero);
  assert(zero[0] == 0 && zero[2] == 0);
  free(zero);
  void* p = aligned_alloc(64, 128);
  assert((uintptr_t)p % 64 == 0);
  memset(p, 1, 128);
  free(p);
  assert(posix_memalign(&p, 256, 10) == 0 && (uintptr_t)p % 256 == 0);
  free(p);
  assert(posix_memalign(&p, 3, 10) == EINVAL);
  assert(calloc(SIZE_MAX, 2) == 0 && errno == ENOMEM);
  free(realloc(0, 5));
  free(0);
  free(malloc(0));
}
