//! lkmm: error=deadlock line=@wait
//! lkmm: error=deadlock line=@srcu flags="-- -DSRCU"
//! lkmm: error=deadlock flags="-- -DCALL"
//! lkmm: error=deadlock flags="-- -DLOCK"
//! lkmm: error=deadlock line=@wait flags="-- -DSEEN"
//! lkmm: verified flags="-- -DSRCU -DOTHER"
//! lkmm: verified flags="-- -DBEFORE"
//! lkmm: verified flags="-- -DOUTSIDE"
//! lkmm: verified flags="-- -DONCE"
// A critical section waits for what somebody does only after a grace period, which waits for the section. In the execution that comes to
// its end the grace period has begun before the section.
#include <heddle/linux.h>

static int ready;
static int seen __attribute__((unused));
static spinlock_t lock __attribute__((unused));
static struct srcu_struct srcu __attribute__((unused)), other __attribute__((unused));

static int reader(void *unused) {
  (void)unused;
#ifdef OUTSIDE
  while (!READ_ONCE(ready)) cpu_relax();
#endif
#ifdef SRCU
  const int index = srcu_read_lock(&srcu);
#else
  rcu_read_lock();
#endif
#ifdef SEEN
  WRITE_ONCE(seen, 1);
#endif
#ifdef LOCK
  spin_lock(&lock);
  spin_unlock(&lock);
#elif defined(ONCE)
  if (READ_ONCE(ready)) WRITE_ONCE(seen, 1);
#elif !defined(OUTSIDE)
  while (!READ_ONCE(ready)) cpu_relax();
#endif
#ifdef SRCU
  srcu_read_unlock(&srcu, index);
#else
  rcu_read_unlock();
#endif
  return 0;
}

#ifdef CALL
static void reclaim(struct rcu_head *head) {
  (void)head;
  WRITE_ONCE(ready, 1);
}
static struct rcu_head head;
#endif

static int updater(void *unused) {
  (void)unused;
#ifdef SEEN
  while (!READ_ONCE(seen)) cpu_relax();
#endif
#ifdef BEFORE
  WRITE_ONCE(ready, 1);
#endif
#ifdef LOCK
  spin_lock(&lock);
#endif
#ifdef CALL
  call_rcu(&head, reclaim);
  rcu_barrier();
#elif defined(OTHER)
  synchronize_srcu(&other);
#elif defined(SRCU)
  synchronize_srcu(&srcu); // @srcu
#else
  synchronize_rcu(); // @wait
#endif
#ifdef LOCK
  spin_unlock(&lock);
#endif
  WRITE_ONCE(ready, 1);
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(reader, 0, "reader"), *b = kthread_run(updater, 0, "updater");
  kthread_stop(a);
  kthread_stop(b);
  return 0;
}
