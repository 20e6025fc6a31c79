//! rc20: error=assertion-failure line=@both flags="--suggest"
//! why: x86 (tso), ARMv8, RISC-V and POWER allow it.
//! why: a seq_cst fence right after store x at store_buffering.c:14 and a seq_cst fence right after store y at store_buffering.c:20 (axiom psc of rc20)
//! why: Suggestion: a seq_cst fence right after store x
// Store buffering: each thread overlooks the other's store. Nothing less than two seq_cst fences helps relaxed accesses.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

void* left(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  r1 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

void* right(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  r2 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(r1 == 1 || r2 == 1);  // @both
}
