//! sc,rc20: verified executions=2
//! rc20: error=data-race line=@plain|@whole flags="-- -DRACE"
// Bytes that are initialised plainly, used atomically in two sizes, and read plainly in the end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct block {
  unsigned char bytes[8];
};
static struct block *block;

static void *part(void *unused) {
  atomic_store_explicit((atomic_uint *)block, 0x01020304, memory_order_relaxed);
  return unused;
}
static void *whole(void *unused) {
  atomic_fetch_add_explicit((atomic_ullong *)block, 1ull << 32, memory_order_relaxed);  // @whole
  return unused;
}

int main(void) {
  block = malloc(sizeof *block);
  memset(block, 0, sizeof *block);
  block->bytes[5] = 7;
  pthread_t first, second;
  pthread_create(&first, 0, part, 0);
  pthread_create(&second, 0, whole, 0);
  pthread_join(first, 0);
#ifdef RACE
  assert(block->bytes[6] == 0);  // @plain
#endif
  pthread_join(second, 0);
  assert(block->bytes[0] == 4 && block->bytes[3] == 1 && block->bytes[4] == 1 && block->bytes[5] == 7);
  struct block copy;
  memcpy(&copy, block, sizeof copy);
  assert(copy.bytes[1] == 3 && copy.bytes[4] == 1);
  free(block);
}
