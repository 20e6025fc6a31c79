//! rc20: error=assertion-failure line=@both flags="--suggest"
//! why: It would be forbidden with - seq_cst instead of acquire for load y at store_buffering_one_weak.c:14 (axiom psc of rc20)
//! why: Suggestion: seq_cst instead of acquire for load y at store_buffering_one_weak.c:14. With this change the program has no error
// Of the four accesses only one is not seq_cst.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

void* left(void* unused) {
  atomic_store(&x, 1);
  r1 = atomic_load_explicit(&y, memory_order_acquire);
  return unused;
}

void* right(void* unused) {
  atomic_store(&y, 1);
  r2 = atomic_load(&x);
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
