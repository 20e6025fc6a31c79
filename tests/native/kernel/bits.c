//! lkmm: verified
//! lkmm: error=data-race flags="-- -DPLAIN"
// A lock of one bit, and what bit operations do.
#include <heddle/linux.h>

static unsigned long flags[2];
static int data;

static int worker(void *unused) {
  (void)unused;
#ifdef PLAIN
  while (test_bit(70, flags)) cpu_relax();
  set_bit(70, flags);
#else
  while (test_and_set_bit_lock(70, flags)) cpu_relax();
#endif
  ++data;
  clear_bit_unlock(70, flags);
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(worker, 0, "a"), *b = kthread_run(worker, 0, "b");
  kthread_stop(a);
  kthread_stop(b);
  BUG_ON(data != 2 || flags[0] != 0 || flags[1] != 0);
  set_bit(3, flags);
  BUG_ON(!test_bit(3, flags) || test_and_set_bit(3, flags) != 1 || test_and_clear_bit(3, flags) != 1);
  change_bit(64, flags);
  BUG_ON(flags[0] != 0 || flags[1] != 1 || !test_bit_acquire(64, flags) || !test_and_change_bit(64, flags));
  set_bit(0, flags);
  clear_bit(0, flags);
  BUG_ON(flags[0] != 0 || flags[1] != 0);
  return 0;
}
