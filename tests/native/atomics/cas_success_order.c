//! rc20: verified executions=2 blocked=0
//! rc20: error=data-race line=@write|@read flags="-- -DORDER=memory_order_relaxed"
//! rc20: error=data-race line=@write|@read flags="-- -DORDER=memory_order_release"
// A compare-exchange that succeeds synchronises by its success order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_acquire
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
  int expected = 1;
  if (atomic_compare_exchange_strong_explicit(&flag, &expected, 2, ORDER, memory_order_relaxed)) {
    assert(data == 1);  // @read
  }
  pthread_join(thread, 0);
  return 0;
}
