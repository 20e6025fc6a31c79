//! rc20: error=assertion-failure line=@order flags="--suggest"
//! why: No interleaving of the threads explains this execution.
//! why: 12 load y = 1 (iriw.c:28) is followed in its thread by 13 load x = 0 (iriw.c:29) reads what is overwritten by
//! why: POWER allows it; x86 (tso), ARMv8 and RISC-V forbid it.
//! why: Suggestion: a seq_cst fence right after load x at iriw.c:23 and a seq_cst fence right after load y at iriw.c:28. With these changes the program has no error
// Two readers see two stores in different orders, although all loads acquire and all stores release.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen[4];

void* writeX(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_release);
  return unused;
}
void* writeY(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_release);
  return unused;
}
void* readXY(void* unused) {
  seen[0] = atomic_load_explicit(&x, memory_order_acquire);
  seen[1] = atomic_load_explicit(&y, memory_order_acquire);
  return unused;
}
void* readYX(void* unused) {
  seen[2] = atomic_load_explicit(&y, memory_order_acquire);
  seen[3] = atomic_load_explicit(&x, memory_order_acquire);
  return unused;
}

int main(void) {
  void* (*const run[])(void*) = {writeX, writeY, readXY, readYX};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, run[i], 0);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  assert(!(seen[0] == 1 && seen[1] == 0 && seen[2] == 1 && seen[3] == 0));  // @order
}
