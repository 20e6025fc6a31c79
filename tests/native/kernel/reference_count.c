//! lkmm: verified
//! lkmm: verified flags="-- -DUNLESS"
//! lkmm: error=assertion-failure flags="-- -DRELAXED"
// A reference is taken only where there still is one (atomic_inc_not_zero): one operation, so what is done with the answer depends on it as
// on any value. If it is read and written in two steps, it is taken from nobody.
#include <heddle/linux.h>

static atomic_t count = ATOMIC_INIT(1);
static int released;

static bool get(void) {
#ifdef UNLESS
  return atomic_add_unless(&count, 1, 0);
#elif defined(RELAXED)
  const int old = atomic_read(&count);
  if (old == 0) return false;
  atomic_set(&count, old + 1);
  return true;
#else
  return atomic_inc_not_zero(&count);
#endif
}

static void put(void) {
  if (atomic_dec_and_test(&count)) WRITE_ONCE(released, 1);
}

static int reader(void *unused) {
  (void)unused;
  rcu_read_lock();
  if (get()) {
    BUG_ON(READ_ONCE(released));
    put();
  }
  rcu_read_unlock();
  return 0;
}

static int owner(void *unused) {
  (void)unused;
  put();
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(reader, 0, "reader"), *b = kthread_run(owner, 0, "owner");
  kthread_stop(a);
  kthread_stop(b);
  BUG_ON(!released);
  return 0;
}
