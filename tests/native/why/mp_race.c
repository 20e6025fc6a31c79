//! rc20: error=data-race line=@write|@read flags="--suggest"
//! why: An interleaving of the threads, the one above, leads there. Nothing orders the two accesses.
//! why: They would be ordered with - release instead of relaxed for store flag at mp_race.c:14
//! why: Suggestion: release instead of relaxed for store flag at mp_race.c:14. With this change the program has no error; it was explored again.
// The load acquires, but the store does not release. An interleaving leads to the race: it is judged by happens-before.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void* writer(void* unused) {
  data = 1;  // @write
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

void* reader(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 1) data = 2;  // @read
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
