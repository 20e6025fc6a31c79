//! lkmm: verified executions=2 flags="-- -DINSIDE"
//! lkmm: error=assertion-failure line=@error flags="-- -DAFTER"
//! lkmm: incomplete flags="-- -DVARIABLE"
//! lkmm: verified executions=3 flags="-- -DDATA"
//! lkmm: verified executions=3 flags="-- -DASSERTED -DACQUIRE"
//! lkmm: error=assertion-failure line=@error flags="-- -DASSERTED"
// Load buffering with branches: one orders the write that it decides, and not one after it. What is set inside of it is not
// known to the model, so that is not explored. An assertion orders nothing.
#include <heddle/linux.h>

static int x, y, r0, r1, other;

static int first(void *unused) {
  (void)unused;
#ifdef ACQUIRE
  r0 = smp_load_acquire(&x);
#else
  r0 = READ_ONCE(x);
#endif
#ifdef INSIDE
  if (r0) WRITE_ONCE(y, 1);
#elif defined(AFTER)
  if (r0) other = 1;
  WRITE_ONCE(y, 1);
#elif defined(VARIABLE)
  int value = 1;
  if (r0) value = 2;
  WRITE_ONCE(y, value);
#elif defined(DATA)
  WRITE_ONCE(y, 1 + (r0 & 0));
#else
  BUG_ON(r0 > 1);
  WRITE_ONCE(y, 1);
#endif
  return 0;
}

static int second(void *unused) {
  (void)unused;
  r1 = READ_ONCE(y);
  smp_mb();
  WRITE_ONCE(x, r1 != 0);
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(first, NULL, "first");
  struct task_struct *b = kthread_run(second, NULL, "second");
  kthread_stop(a);
  kthread_stop(b);
  BUG_ON(r0 == 1 && r1 != 0);  // @error
  (void)other;
}
