//! rc20: verified executions=1 blocked=0
// Memory at round addresses.
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

static int isAt(const void *address, uintptr_t alignment) { return (uintptr_t)address % alignment == 0; }

int main(void) {
  void *a = aligned_alloc(64, 128), *b = memalign(256, 10), *c = valloc(1), *d = NULL;
  assert(isAt(a, 64) && isAt(b, 256) && isAt(c, 4096));
  assert(posix_memalign(&d, 128, 30) == 0 && isAt(d, 128));
  assert(posix_memalign(&d, 3, 30) == EINVAL && isAt(d, 128));
  free(a);
  free(b);
  free(c);
  free(d);
  return 0;
}
