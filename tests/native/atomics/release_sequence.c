//! rc20: verified executions=5 blocked=0
//! rc20: error=data-race line=@write|@read flags="-- -DBROKEN"
// A read-modify-write continues the release sequence that it reads from, with any order; a store of another thread does
// not (litmus NA+relseq, NA+relseq-broken).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *unused) {
  data = 1;  // @write
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

static void *middle(void *unused) {
#ifdef BROKEN
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) atomic_store_explicit(&flag, 2, memory_order_relaxed);
#else
  int expected = 1;
  atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_relaxed, memory_order_relaxed);
#endif
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, writer, 0);
  pthread_create(&second, 0, middle, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) assert(data == 1);  // @read
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
