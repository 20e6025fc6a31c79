//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
//! rc20: verified executions=3 blocked=0 flags="-- -DOVERLAP"
//! rc20: error=unsupported line=@load text="crosses a 16-byte boundary" flags="-- -DACROSS"
// An atomic word that is not aligned, but within 16 bytes; OVERLAP: half of it is also written by itself. ACROSS: it is in two
// blocks of 16 bytes.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifdef ACROSS
#define OFFSET 14
#else
#define OFFSET 6
#endif

static _Alignas(32) unsigned char bytes[32];

static void *write_word(void *unused) {
  __atomic_store_n((uint32_t *)(bytes + OFFSET), 0x01020304, __ATOMIC_RELAXED);
  return unused;
}

#ifdef OVERLAP
static void *write_half(void *unused) {
  __atomic_store_n((uint16_t *)(bytes + OFFSET + 1), 0x0a0b, __ATOMIC_RELAXED);
  return unused;
}
#endif

int main(void) {
  pthread_t a;
#ifdef OVERLAP
  pthread_t b;
  pthread_create(&b, 0, write_half, 0);
  pthread_create(&a, 0, write_word, 0);
  pthread_join(a, 0);
  const uint32_t word = __atomic_load_n((uint32_t *)(bytes + OFFSET), __ATOMIC_RELAXED);
  pthread_join(b, 0);
  assert(word == 0x01020304 || word == 0x010a0b04);
#else
  pthread_create(&a, 0, write_word, 0);
  const uint32_t word = __atomic_load_n((uint32_t *)(bytes + OFFSET), __ATOMIC_RELAXED);  // @load
  assert(word == 0 || word == 0x01020304);
  pthread_join(a, 0);
#endif
  return 0;
}
