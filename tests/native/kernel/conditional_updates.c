//! lkmm: verified executions=2
//! rc11: verified
// atomic_dec_if_positive() and its like: what they return, and what they leave.
#include <heddle/linux.h>

static atomic_t a = ATOMIC_INIT(1);
static atomic64_t b = ATOMIC64_INIT(-2);
static int taken;

static int worker(void *unused) {
  (void)unused;
  if (atomic_dec_if_positive(&a) >= 0) WRITE_ONCE(taken, 1);
  return 0;
}

int main(void) {
  struct task_struct *one = kthread_run(worker, 0, "one"), *two = kthread_run(worker, 0, "two");
  kthread_stop(one);
  kthread_stop(two);
  BUG_ON(!READ_ONCE(taken) || atomic_read(&a) != 0);
  BUG_ON(atomic_fetch_add_unless(&a, 5, 0) != 0 || atomic_read(&a) != 0);
  BUG_ON(atomic_fetch_add_unless(&a, 5, 1) != 0 || atomic_read(&a) != 5);
  BUG_ON(atomic64_inc_unless_negative(&b) || atomic64_read(&b) != -2);
  BUG_ON(!atomic64_dec_unless_positive(&b) || atomic64_read(&b) != -3);
  BUG_ON(atomic_dec_unless_positive(&a) || atomic_read(&a) != 5);
  BUG_ON(!atomic_inc_unless_negative(&a) || atomic_read(&a) != 6);
  BUG_ON(atomic64_dec_if_positive(&b) != -4 || atomic64_read(&b) != -3);
  return 0;
}
