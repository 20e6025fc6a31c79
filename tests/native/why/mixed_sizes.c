//! rc20: error=assertion-failure line=@half flags="--suggest"
//! why: 4 store state.part[1] = 1 (mixed_sizes.c:19) is read by 5 load state.whole = 256
//! why: x86 (tso) forbids it.
//! why: Suggestion: release instead of relaxed for store state.part[1] at mixed_sizes.c:19. With this change the program has no error
// The flag is one byte of a word that others read as a whole.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

union {
  _Atomic uint32_t whole;
  _Atomic uint8_t part[4];
} state;
atomic_int data;

void* writer(void* unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&state.part[1], 1, memory_order_relaxed);
  return unused;
}
void* reader(void* unused) {
  if (atomic_load_explicit(&state.whole, memory_order_acquire) != 0) {
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);  // @half
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
