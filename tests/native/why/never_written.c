//! rc20: error=non-termination line=@spin
//! why: thread 1 (waiter) spins on turn: it reads turn = 1 again and again, and nobody is left who writes another value.
// The loop waits for a value that nobody writes in this execution.
#include <pthread.h>
#include <stdatomic.h>

atomic_int turn, stop;

void* waiter(void* unused) {
  while (atomic_load_explicit(&turn, memory_order_acquire) != 2) {  // @spin
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  atomic_store_explicit(&turn, 1, memory_order_release);
  if (atomic_load_explicit(&stop, memory_order_relaxed)) atomic_store_explicit(&turn, 2, memory_order_release);
  pthread_join(thread, 0);
}
