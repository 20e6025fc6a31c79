//! rc20: error=data-race line=@left|@right
//! why: x86 (tso), ARMv8, RISC-V and POWER allow it.
// Dekker's entry without fences: the race is there because of a weak behaviour, which every machine has.
#include <pthread.h>
#include <stdatomic.h>

atomic_int a, b;
int inside;

void* left(void* unused) {
  atomic_store_explicit(&a, 1, memory_order_relaxed);
  if (atomic_load_explicit(&b, memory_order_relaxed) == 0) inside = 1;  // @left
  return unused;
}
void* right(void* unused) {
  atomic_store_explicit(&b, 1, memory_order_relaxed);
  if (atomic_load_explicit(&a, memory_order_relaxed) == 0) inside = 2;  // @right
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, left, 0);
  pthread_create(&other, 0, right, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
}
