//! rc20: verified executions=3
//! c11-lb: error=assertion-failure line=@both flags="--suggest"
//! why: 3 load x = 1 (load_buffering.c:16) is followed in its thread by 4 store y = 1 (load_buffering.c:17) is read by 5 load y = 1 (load_buffering.c:21) is followed in its thread by 6 store x = 1 (load_buffering.c:22) is read by
//! why: ARMv8, RISC-V and POWER allow it unless dependencies between the accesses forbid it; x86 (tso) forbids it.
//! why: acquire instead of relaxed for load x at load_buffering.c:16 and acquire instead of relaxed for load y at load_buffering.c:21 (axiom no-thin-air of c11-lb)
//! why: Suggestion: acquire instead of relaxed for load x
// Each thread reads what the other writes only afterwards.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

void* left(void* unused) {
  r1 = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}
void* right(void* unused) {
  r2 = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!(r1 == 1 && r2 == 1));  // @both
}
