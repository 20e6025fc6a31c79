//! rc20: error=assertion-failure line=@last flags="--suggest"
//! why: 4 store y = 2 (two_plus_two_writes.c:13) is overwritten by 5 store y = 1
//! why: Suggestion: a seq_cst fence right after store x at two_plus_two_writes.c:12 and a seq_cst fence right after store y at two_plus_two_writes.c:17. With these changes the program has no error
// Each thread's first store comes last.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void* left(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  return unused;
}
void* right(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!(atomic_load(&x) == 1 && atomic_load(&y) == 1));  // @last
}
