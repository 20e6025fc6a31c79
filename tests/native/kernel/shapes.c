//! lkmm: error=assertion-failure line=@error flags="-- -DMP"
//! lkmm: verified executions=3 flags="-- -DMP -DFIRST=smp_wmb -DSECOND=smp_rmb"
//! lkmm: verified executions=3 flags="-- -DMP -DFIRST=smp_mb -DSECOND=smp_mb"
//! lkmm: error=assertion-failure line=@error flags="-- -DMP -DFIRST=smp_rmb -DSECOND=smp_rmb"
//! lkmm: error=assertion-failure line=@error flags="-- -DMP -DFIRST=smp_wmb -DSECOND=smp_wmb"
//! lkmm: error=assertion-failure line=@error flags="-- -DMP -DFIRST=smp_wmb"
//! lkmm: error=assertion-failure line=@error flags="-- -DMP -DFIRST=barrier -DSECOND=barrier"
//! lkmm: error=assertion-failure line=@error-2 flags="-- -DSB -DFIRST=smp_wmb -DSECOND=smp_wmb"
//! lkmm: verified executions=3 flags="-- -DSB -DFIRST=smp_mb -DSECOND=smp_mb"
//! lkmm: error=assertion-failure line=@error-2 flags="-- -DSB -DFIRST=smp_mb"
//! lkmm: verified executions=3 flags="-- -DSB -DFIRST=synchronize_rcu -DSECOND=smp_mb"
//! lkmm: error=assertion-failure line=@error-3 flags="-- -DLB"
//! lkmm: error=assertion-failure line=@error-3 flags="-- -DLB -DFIRST=smp_mb"
//! lkmm: verified executions=3 flags="-- -DLB -DFIRST=smp_mb -DSECOND=smp_mb"
// Two threads, two locations, and fences between the accesses of each thread.
#include <heddle/linux.h>

#ifndef FIRST
#define FIRST() ((void)0)
#endif
#ifndef SECOND
#define SECOND() ((void)0)
#endif

static int x, y, r0, r1, r2;

static int first(void *unused) {
  (void)unused;
#ifdef MP
  WRITE_ONCE(x, 1);
  FIRST();
  WRITE_ONCE(y, 1);
#elif defined(SB)
  WRITE_ONCE(x, 1);
  FIRST();
  r0 = READ_ONCE(y);
#else
  r0 = READ_ONCE(x);
  FIRST();
  WRITE_ONCE(y, 1);
#endif
  return 0;
}

static int second(void *unused) {
  (void)unused;
#ifdef MP
  r1 = READ_ONCE(y);
  SECOND();
  r2 = READ_ONCE(x);
#elif defined(SB)
  WRITE_ONCE(y, 1);
  SECOND();
  r1 = READ_ONCE(x);
#else
  r1 = READ_ONCE(y);
  SECOND();
  WRITE_ONCE(x, 1);
#endif
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(first, NULL, "first");
  struct task_struct *b = kthread_run(second, NULL, "second");
  kthread_stop(a);
  kthread_stop(b);
#ifdef MP
  BUG_ON(r1 == 1 && r2 == 0);  // @error
#elif defined(SB)
  BUG_ON(r0 == 0 && r1 == 0);  // @error-2
#else
  BUG_ON(r0 == 1 && r1 == 1);  // @error-3
#endif
}
