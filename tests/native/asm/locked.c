//! rc20: verified executions=2
//! rc20: verified executions=2 flags="-- -DXADD"
//! rc20: verified executions=2 flags="-- -DINC"
// Two threads add one with a locked instruction; nothing is lost.
#include <assert.h>
#include <pthread.h>

static int counter;

static void add(int *cell) {
#if defined XADD
  int one = 1;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(one), "+m"(*cell) : : "memory", "cc");
#elif defined INC
  __asm__ volatile("lock; incl %0" : "+m"(*cell) : : "memory", "cc");
#else
  __asm__ volatile("lock; addl %1, %0" : "+m"(*cell) : "ir"(1) : "memory", "cc");
#endif
}

static void *work(void *unused) {
  add(&counter);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  add(&counter);
  pthread_join(thread, 0);
  assert(__atomic_load_n(&counter, __ATOMIC_RELAXED) == 2);
  return 0;
}
