//! lkmm: verified executions=8 blocked=0
//! lkmm: verified executions=7 blocked=0 flags="-- -DACQUIRE"
// What is passed on by an exchange orders an acquire of another thread, and not one of the thread that has made the exchange: that
// does not say that the exchange itself was an acquire. Under C11 it would.
#include <heddle/linux.h>

static int x, y;

static int first(void *unused) {
  (void)unused;
  WRITE_ONCE(y, 2);
  smp_mb();
  WRITE_ONCE(y, 1);
  WRITE_ONCE(x, 2);
  return 0;
}

static int second(void *unused) {
  (void)unused;
#ifdef ACQUIRE
  xchg_acquire(&x, 2);
#else
  xchg_relaxed(&x, 2);
#endif
  smp_load_acquire(&x);
  WRITE_ONCE(y, 2);
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(first, NULL, "first"), *b = kthread_run(second, NULL, "second");
  kthread_stop(a);
  kthread_stop(b);
}
