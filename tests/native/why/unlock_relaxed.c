//! rc20: error=data-race line=@count flags="--suggest"
//! why: Suggestion: release instead of relaxed for store locked at unlock_relaxed.c:14. With this change the program has no error
// A spin lock whose unlock does not release.
#include <pthread.h>
#include <stdatomic.h>

atomic_int locked;
int count;

void* worker(void* unused) {
  while (atomic_exchange_explicit(&locked, 1, memory_order_acquire)) {
  }
  count = count + 1;  // @count
  atomic_store_explicit(&locked, 0, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
