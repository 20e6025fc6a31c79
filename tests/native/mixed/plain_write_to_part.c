//! rc20: verified executions=1 blocked=0 text="word + 1 byte with 1 byte"
//! sc: verified executions=1 blocked=0
// Plain code writes a part of an atomic object.
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

static _Atomic(unsigned) word;

int main(void) {
  atomic_store(&word, 0x04030201);
  memset((char *)&word + 1, 9, 2);
  assert(atomic_load(&word) == 0x04090901);
  memcpy(&word, "\x07\x08", 2);
  assert(atomic_load(&word) == 0x04090807);
  ((char *)&word)[3] = 1;
  assert(atomic_load(&word) == 0x01090807);
}
