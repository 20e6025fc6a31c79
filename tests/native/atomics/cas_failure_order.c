//! rc20: verified executions=2 blocked=0
//! rc20: error=data-race line=@write|@read flags="-- -DRELAXED_FAILURE"
//! sc: error=data-race line=@write|@read flags="-- -DRELAXED_FAILURE"
// A compare-exchange that fails synchronises by its failure order (litmus NA+cas-fail, NA+cas-fail-rlx).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED_FAILURE
#define FAILURE memory_order_relaxed
#else
#define FAILURE memory_order_acquire
#endif

static int data;
static atomic_int flag;

static void *writer(void *unused) {
  data = 1;  // @write
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int expected = 7;
  atomic_compare_exchange_strong_explicit(&flag, &expected, 8, memory_order_acq_rel, FAILURE);
  if (expected == 1) assert(data == 1);  // @read
  pthread_join(thread, 0);
  return 0;
}
