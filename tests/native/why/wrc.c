//! rc20: error=assertion-failure line=@stale flags="--suggest"
//! why: x86 (tso), ARMv8, RISC-V and POWER forbid it.
//! why: Suggestion: release instead of relaxed for store flag at wrc.c:16. With this change the program has no error
// A write is passed on by a second thread: release and acquire are missing in one link of the chain.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data, flag;

void* writer(void* unused) {
  atomic_store_explicit(&data, 1, memory_order_release);
  return unused;
}
void* passer(void* unused) {
  if (atomic_load_explicit(&data, memory_order_acquire) == 1) atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}
void* reader(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 1) {
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);  // @stale
  }
  return unused;
}

int main(void) {
  void* (*const run[])(void*) = {writer, passer, reader};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, run[i], 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}
