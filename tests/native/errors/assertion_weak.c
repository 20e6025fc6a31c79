//! sc: verified executions=3
//! rc20: error=assertion-failure line=@both
//! tso: error=assertion-failure line=@both
//! rc20: verified executions=3 flags="-- -DORDER=memory_order_seq_cst"
// An assertion that fails in one execution of four, which sc does not have: store buffering.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y;
static int seen_x, seen_y;

static void *left(void *unused) {
  atomic_store_explicit(&x, 1, ORDER);
  seen_y = atomic_load_explicit(&y, ORDER);
  return unused;
}

static void *right(void *unused) {
  atomic_store_explicit(&y, 1, ORDER);
  seen_x = atomic_load_explicit(&x, ORDER);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, left, 0);
  pthread_create(&second, 0, right, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(seen_x == 1 || seen_y == 1);  // @both
  return 0;
}
