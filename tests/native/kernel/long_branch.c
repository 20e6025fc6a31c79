//! lkmm: verified executions=2 blocked=0
//! lkmm: verified executions=2 blocked=0 flags="-- -DNESTED"
// A branch orders all writes that it decides, and not only the first of what is in it.
#include <heddle/linux.h>

static int x, y;

static int first(void *unused) {
  (void)unused;
  WRITE_ONCE(x, 2);
  smp_wmb();
  WRITE_ONCE(y, 1);
  return 0;
}

static int second(void *unused) {
  (void)unused;
  int r0 = READ_ONCE(y);
  if (r0 == 1) {
    barrier();
#ifdef NESTED
    if (r0 < 2) {
      barrier();
      WRITE_ONCE(x, 1);
    }
#else
    WRITE_ONCE(x, 1);
#endif
  }
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(first, NULL, "first"), *b = kthread_run(second, NULL, "second");
  kthread_stop(a);
  kthread_stop(b);
}
