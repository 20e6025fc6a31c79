//! lkmm: verified executions=66
//! lkmm: error=data-race flags="-- -DBUG"
//! why: Nothing orders the two accesses.
//
// A queued spin lock (MCS): each waiter spins on a word of its own, which its predecessor sets.
//
// BUG: the predecessor hands the lock over without a release.
#include <heddle/linux.h>

#ifndef N
#define N 3
#endif

struct node {
  struct node *next;
  int locked;
};

static struct node *tail;
static int counter;

static void queued_lock(struct node *node) {
  struct node *prev;
  node->next = NULL;
  node->locked = 0;
  prev = xchg(&tail, node);
  if (prev == NULL) return;
  WRITE_ONCE(prev->next, node);
  smp_cond_load_acquire(&node->locked, VAL);
}

static void queued_unlock(struct node *node) {
  struct node *next = READ_ONCE(node->next);
  if (next == NULL) {
    if (cmpxchg_release(&tail, node, NULL) == node) return;
    next = smp_cond_load_relaxed(&node->next, VAL != NULL);
  }
#ifdef BUG
  WRITE_ONCE(next->locked, 1);
#else
  smp_store_release(&next->locked, 1);
#endif
}

static struct node nodes[N];

static int worker(void *argument) {
  struct node *node = argument;
  queued_lock(node);
  ++counter;
  queued_unlock(node);
  return 0;
}

int main(void) {
  struct task_struct *t[N];
  for (int i = 0; i < N; ++i) t[i] = kthread_run(worker, &nodes[i], "worker");
  for (int i = 0; i < N; ++i) kthread_stop(t[i]);
  BUG_ON(counter != N);
}
