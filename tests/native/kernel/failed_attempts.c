//! lkmm: error=assertion-failure line=@error flags="-- -DCMPXCHG"
//! lkmm: error=assertion-failure line=@error flags="-- -DTRYLOCK"
//! lkmm: verified executions=2 flags="-- -DCMPXCHG -DORDERED"
//! lkmm: verified executions=2 flags="-- -DTRYLOCK -DORDERED"
//! lkmm: verified executions=3 flags="-- -DLOCKED"
// A compare-exchange, or a lock that is tried, orders nothing if it fails: the write after it may be the reason that it fails. In every
// execution without load buffering it succeeds.
#include <heddle/linux.h>

static int x, y;
static DEFINE_SPINLOCK(lock);

static int first(void *unused) {
  int failed = 0;
  (void)unused;
#ifdef CMPXCHG
  failed = cmpxchg_acquire(&x, 0, 1) != 0;
#elif defined(TRYLOCK)
  failed = !spin_trylock(&lock);
#else
  spin_lock(&lock);
#endif
#ifdef ORDERED
  smp_mb();
#endif
  WRITE_ONCE(y, 1);
#ifdef LOCKED
  spin_unlock(&lock);
#endif
  BUG_ON(failed);  // @error
  return 0;
}

static int second(void *unused) {
  (void)unused;
  if (READ_ONCE(y) != 1) return 0;
#ifdef CMPXCHG
  WRITE_ONCE(x, 5);
#else
  if (spin_trylock(&lock)) spin_unlock(&lock);
#endif
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(first, 0, "first"), *b = kthread_run(second, 0, "second");
  kthread_stop(a);
  kthread_stop(b);
}
