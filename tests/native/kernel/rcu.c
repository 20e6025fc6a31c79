//! lkmm: verified executions=2
//! lkmm: verified executions=2 flags="-- -DCALL"
//! lkmm: verified executions=2 flags="-- -DKFREE"
//! lkmm: verified executions=2 flags="-- -DSRCU"
//! lkmm: error=use-after-free line=@free flags="-- -DNONE"
//! lkmm: error=use-after-free line=@free flags="-- -DNONE -DFENCE"
//! lkmm: error=use-after-free line=@free flags="-- -DNO_SECTION"
//! lkmm: error=use-after-free line=@free flags="-- -DSRCU -DOTHER"
//! lkmm: error=use-after-free line=@free flags="-- -DBEFORE"
//! lkmm: verified executions=2 flags="-- -DMARKED"
//! lkmm: error=use-after-free line=@free flags="-- -DMARKED -DNONE"
// A pointer that is published and read under RCU: what was there before is freed after a grace period, in every way that there is.
// Without one, or with one before the pointer has changed, or if the reader is in no critical section, it is a use after free.
#include <heddle/linux.h>

struct item {
  int value;
  struct rcu_head rcu;
};

static struct item *shared;
static struct srcu_struct srcu, other;

static int reader(void *unused) {
  struct item *item;
  (void)unused;
  (void)other;
#ifdef SRCU
  const int index = srcu_read_lock(&srcu);
#elif !defined(NO_SECTION)
  rcu_read_lock();
#endif
  item = rcu_dereference(shared);
#ifdef MARKED
  BUG_ON(READ_ONCE(item->value) == 0);
#else
  BUG_ON(item->value == 0);
#endif
#ifdef SRCU
  srcu_read_unlock(&srcu, index);
#elif !defined(NO_SECTION)
  rcu_read_unlock();
#endif
  return 0;
}

#ifdef CALL
static void reclaim(struct rcu_head *head) { kfree(container_of(head, struct item, rcu)); }
#endif

static int updater(void *unused) {
  struct item *old = shared;
  struct item *fresh = kmalloc(sizeof *fresh, GFP_KERNEL);
  (void)unused;
  fresh->value = 2;
#ifdef BEFORE
  synchronize_rcu();
#endif
  rcu_assign_pointer(shared, fresh);
#ifdef FENCE
  smp_mb();
#endif
#ifdef CALL
  call_rcu(&old->rcu, reclaim);
#elif defined(KFREE)
  kfree_rcu(old, rcu);
#else
#if defined(SRCU) && defined(OTHER)
  synchronize_srcu(&other);
#elif defined(SRCU)
  synchronize_srcu(&srcu);
#elif !defined(NONE) && !defined(BEFORE)
  synchronize_rcu();
#endif
  kfree(old); // @free
#endif
  return 0;
}

int main(void) {
  shared = kmalloc(sizeof *shared, GFP_KERNEL);
  shared->value = 1;
  struct task_struct *r = kthread_run(reader, NULL, "reader");
  struct task_struct *u = kthread_run(updater, NULL, "updater");
  kthread_stop(r);
  kthread_stop(u);
}
