//! lkmm: verified executions=4 blocked=0
//! lkmm: verified executions=4 blocked=0 flags="-- -DREAD"
// A compare-exchange that fails is like a read: what comes after it may be seen before, and its own location by others all the same.
#include <heddle/linux.h>

static int x, y;

static int first(void *unused) {
  (void)unused;
  READ_ONCE(y);
  READ_ONCE(x);
  return 0;
}

static int second(void *unused) {
  (void)unused;
#ifdef READ
  READ_ONCE(x);
#else
  cmpxchg_acquire(&x, 1, 2);  // nobody writes 1
#endif
  xchg_acquire(&x, 2);
  WRITE_ONCE(y, 1);
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(first, NULL, "first"), *b = kthread_run(second, NULL, "second");
  kthread_stop(a);
  kthread_stop(b);
}
