//! rc20: verified executions=1 blocked=1
//! rc20: error=non-termination line=@take flags="-- -DNEVER"
//! rc20: error=non-termination line=@seven flags="--unroll 2 -- -DSEVEN"
//! rc20: error=data-race line=@take flags="-- -DPLAIN"
// Attempts on a counter that is kept. The loop is left for another reason, which it looks at in each round: an attempt that waits
// has seen an old value of that, so the program does not hang (NEVER: it does). SEVEN: after a failure the thread waits for a
// value that has nothing to do with the next attempt, and never comes. PLAIN: somebody reads the counter as if nobody wrote it.
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int stop;

static void *take(void *unused) {
  while (!atomic_load(&stop)) {
    if (__atomic_fetch_add(&x, 1, __ATOMIC_ACQUIRE) == 0) break;  // @take
    __atomic_fetch_sub(&x, 1, __ATOMIC_RELAXED);
#ifdef SEVEN
    while (__atomic_load_n(&x, __ATOMIC_RELAXED) != 7) {  // @seven
    }
#endif
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  x = 1;
  pthread_create(&thread, 0, take, 0);
#ifdef SEVEN
  __atomic_fetch_sub(&x, 1, __ATOMIC_RELAXED);
#elif !defined(NEVER)
  atomic_store(&stop, 1);
#endif
#ifdef PLAIN
  (void)*(volatile int *)&x;
#endif
  pthread_join(thread, 0);
  return 0;
}
