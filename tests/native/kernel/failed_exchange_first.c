//! lkmm: error=assertion-failure line=@error
//! lkmm: verified executions=7 blocked=0 flags="-- -DCOUNT"
// All of the second thread may come before the first. Under the kernel's model the first exchange may fail because of what comes after
// it in the second thread's order, so that is explored with holes.
#include <heddle/linux.h>

static int x, first_y, first_x, seen;
static atomic_t y;

static int first(void *unused) {
  (void)unused;
  first_y = atomic_cmpxchg(&y, 1, 2);
  first_x = cmpxchg(&x, 0, 1);
  return 0;
}

static int second(void *unused) {
  (void)unused;
  atomic_fetch_add(1, &y);
  seen = READ_ONCE(x);
  cmpxchg_acquire(&x, 1, 2);
  atomic_fetch_add_acquire(2, &y);
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(first, NULL, "first"), *b = kthread_run(second, NULL, "second");
  kthread_stop(a);
  kthread_stop(b);
#ifndef COUNT
  BUG_ON(first_y == 3 && first_x == 0 && seen == 0);  // @error
#endif
}
