//! rc11: verified executions=4 blocked=0
//! armv8,riscv,power: verified executions=4 blocked=0
//! rc11,armv8,riscv,power: verified executions=3 blocked=0 flags="--equivalence rf"
// A thread that writes where it has read is no load buffering to a machine, whatever it writes: coherence has the write after the
// read. So these programs are explored as others are, with every option (`--equivalence rf` is refused with load buffering).
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *update(void *value) {
  atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&x, (int)(long)value, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, update, (void *)1L);
  pthread_create(&b, 0, update, (void *)2L);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
