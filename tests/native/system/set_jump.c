//! rc20: verified executions=2 blocked=0
//! rc20: verified executions=2 blocked=0 flags="-- -DJUMPS"
// A way out for errors that no execution takes, and with JUMPS one that some executions take.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int value;
static jmp_buf out;

static void check(int ok) {
  if (!ok) longjmp(out, 1);
}

static void *worker(void *unused) {
  jmp_buf mine;
  if (setjmp(mine) == 0) atomic_store_explicit(&value, 1, memory_order_relaxed);
  else longjmp(mine, 2);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  if (setjmp(out) == 0) {
    int seen = atomic_load_explicit(&value, memory_order_relaxed);
#ifdef JUMPS
    check(seen == 0);
#else
    check(seen < 2);
#endif
  }
  pthread_join(thread, NULL);
  return 0;
}
