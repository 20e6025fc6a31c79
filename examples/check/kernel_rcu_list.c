//! lkmm: verified executions=3 blocked=0
//! lkmm: error=use-after-free line=@free flags="-- -DBUG"
//! why: An interleaving of the threads, the one above, leads there.
//
// A list that readers walk under RCU while an updater adds an entry and takes one out. What is taken out is freed after a
// grace period: by then nobody who could have found the entry is still at it.
//
// BUG: the updater frees at once. A reader that has found the entry before may still read it: use after free.
#include <heddle/linux.h>

struct entry {
  int key;
  struct list_head list;
};

static LIST_HEAD(entries);
static DEFINE_SPINLOCK(lock);

static struct entry *make(int key) {
  struct entry *e = kmalloc(sizeof *e, GFP_KERNEL);
  e->key = key;
  return e;
}

static int reader(void *unused) {
  struct entry *e;
  int sum = 0;
  (void)unused;
  rcu_read_lock();
  list_for_each_entry_rcu(e, &entries, list) sum += e->key;
  rcu_read_unlock();
  // 1, with or without 2 in front; or 2 alone.
  BUG_ON(sum < 1 || sum > 3);
  return 0;
}

static int updater(void *unused) {
  struct entry *old = list_first_entry(&entries, struct entry, list);
  struct entry *fresh = make(2);
  (void)unused;
  spin_lock(&lock);
  list_add_rcu(&fresh->list, &entries);
  list_del_rcu(&old->list);
  spin_unlock(&lock);
#ifndef BUG
  synchronize_rcu();
#endif
  kfree(old); // @free
  return 0;
}

int main(void) {
  list_add_rcu(&make(1)->list, &entries);
  struct task_struct *r = kthread_run(reader, NULL, "reader");
  struct task_struct *u = kthread_run(updater, NULL, "updater");
  kthread_stop(r);
  kthread_stop(u);
}
