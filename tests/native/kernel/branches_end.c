//! lkmm: incomplete executions=3 text="and the model lets that read see what follows from it" flags="-- -DREAD"
//! lkmm: verified executions=4 flags="-- -DFENCE"
//! lkmm: verified executions=3 flags="-- -DINSIDE"
// A branch orders the writes that it decides, and not what comes after it: also if there are accesses or fences in the branch.
#include <heddle/linux.h>

static int x, y;

static int first(void *unused) {
  (void)unused;
  READ_ONCE(x);
  smp_mb();
  WRITE_ONCE(y, 1);
  return 0;
}

static int second(void *unused) {
  (void)unused;
  int r0 = READ_ONCE(y);
#ifdef READ
  if (r0 == 0)
    READ_ONCE(x);
  else
    READ_ONCE(x);
#elif defined(FENCE)
  if (r0 == 0)
    barrier();
  else
    barrier();
#else
  if (r0 == 0)
    WRITE_ONCE(x, 1);
  else
    WRITE_ONCE(x, 1);
  return 0;
#endif
  WRITE_ONCE(x, 1);
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(first, NULL, "first"), *b = kthread_run(second, NULL, "second");
  kthread_stop(a);
  kthread_stop(b);
}
