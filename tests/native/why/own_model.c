//! armv8: error=assertion-failure line=@both
//! why: ARMv8 allows it; RISC-V and POWER allow it unless dependencies between the accesses forbid it; x86 (tso) forbids it.
// The model that has been explored allows what it has shown, whatever depends on what.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data, flag;

void* writer(void* unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}
void* reader(void* unused) {
  const int ready = atomic_load_explicit(&flag, memory_order_relaxed);
  const int found = atomic_load_explicit(&data, memory_order_relaxed);
  assert(!ready || found);  // @both
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
