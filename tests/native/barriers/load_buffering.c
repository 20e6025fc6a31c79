//! rc11: verified executions=3 blocked=0
//! armv8,riscv,power,imm,c11-lb,mca: verified executions=4 blocked=0
//! rc11: verified executions=3 blocked=0 flags="-- -DBOTH"
//! armv8,riscv,power,imm,c11-lb,mca: error=assertion-failure line=@both flags="-- -DBOTH"
// Load buffering before a barrier, and what comes after it sees all of that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int seen[2];
static pthread_barrier_t barrier;

static void *left(void *unused) {
  seen[0] = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  pthread_barrier_wait(&barrier);
  assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
#ifdef BOTH
  assert(seen[0] == 0 || seen[1] == 0);  // @both
#endif
  return unused;
}

static void *right(void *unused) {
  seen[1] = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_barrier_wait(&barrier);
  assert(atomic_load_explicit(&y, memory_order_relaxed) == 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&threads[0], NULL, left, NULL);
  pthread_create(&threads[1], NULL, right, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
