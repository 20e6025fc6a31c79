//! rc20: error=non-termination line=@error
//! sc: error=non-termination line=@error
//! rc20: verified executions=1 blocked=0 flags="-- -DFIRST"
// Two threads wait for each other; FIRST: one of them goes first.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left, right;

static void *worker(void *unused) {
#ifdef FIRST
  atomic_store(&right, 1);
#endif
  while (atomic_load(&left) == 0) {
  }
  atomic_store(&right, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  while (atomic_load(&right) == 0) {  // @error
  }
  atomic_store(&left, 1);
  pthread_join(thread, 0);
  return 0;
}
