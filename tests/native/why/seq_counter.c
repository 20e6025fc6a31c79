//! rc20: error=assertion-failure line=@torn flags="--suggest"
//! why: reads what is overwritten by
//! why: release instead of relaxed for store left at seq_counter.c:14 (axiom coherence of rc20)
//! why: Suggestion: a release fence right after store sequence at seq_counter.c:13. With this change the program has no error; 2 candidates were explored again.
// The writer of a sequence lock: its first store must not be overtaken by the data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence, left, right;

void* writer(void* unused) {
  atomic_store_explicit(&sequence, 1, memory_order_relaxed);
  atomic_store_explicit(&left, 1, memory_order_relaxed);
  atomic_store_explicit(&right, 1, memory_order_relaxed);
  atomic_store_explicit(&sequence, 2, memory_order_release);
  return unused;
}
void* reader(void* unused) {
  const int before = atomic_load_explicit(&sequence, memory_order_acquire);
  const int a = atomic_load_explicit(&left, memory_order_relaxed);
  const int b = atomic_load_explicit(&right, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  const int after = atomic_load_explicit(&sequence, memory_order_relaxed);
  if (before == after && before % 2 == 0) assert(a == b);  // @torn
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
