//! rc20: verified executions=4 flags="-- -DCODE=1"
//! rc20: verified executions=4 flags="-- -DCODE=2"
//! rc20: verified executions=3 flags="-- -DCODE=3"
//! rc20: verified executions=3 flags="-- -DCODE=4"
//! rc20: verified executions=4 blocked=0 flags="-- -DCODE=5"
//! rc20: verified executions=4 blocked=0 flags="-- -DCODE=6"
//! rc20: verified executions=4 flags="-- -DCODE=7"
// Store buffering with the assembly that people write in between: 1 compiler barrier, 2 pause, 3 mfence, 4 a locked
// addition to the stack, 5 lfence, 6 sfence, 7 nop. Full barriers leave three executions (litmus SB+scfences).
#include <pthread.h>
#include <stdatomic.h>

#if CODE == 1
#define BARRIER __asm__ volatile("" ::: "memory")
#elif CODE == 2
#define BARRIER __asm__ volatile("pause")
#elif CODE == 3
#define BARRIER __asm__ volatile("mfence" ::: "memory")
#elif CODE == 4
#define BARRIER __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc")
#elif CODE == 5
#define BARRIER __asm__ volatile("lfence" ::: "memory")
#elif CODE == 6
#define BARRIER __asm__ volatile("sfence" ::: "memory")
#elif CODE == 7
#define BARRIER __asm__ volatile("nop")
#endif

static atomic_int x, y;

static void *left(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  BARRIER;
  (void)atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, left, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  BARRIER;
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(thread, 0);
  return 0;
}
