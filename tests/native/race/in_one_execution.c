//! rc20: error=data-race line=@rare|@always
//! sc: verified executions=3 blocked=0
// A race in one execution of many, which only a weak model has: both threads miss each other's store.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int x, y;

static void *left(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  if (atomic_load_explicit(&y, memory_order_relaxed) == 0) data = 1;  // @rare
  return unused;
}

static void *right(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  if (atomic_load_explicit(&x, memory_order_relaxed) == 0) data = 2;  // @always
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, left, 0);
  pthread_create(&second, 0, right, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
