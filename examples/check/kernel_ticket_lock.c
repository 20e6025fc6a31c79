//! lkmm: verified executions=6
//! lkmm: error=data-race flags="-- -DBUG"
//! why: Nothing orders the two accesses.
//
// A ticket lock: who comes takes a ticket, and waits until it is called.
//
// BUG: the unlock is no release. The next owner may not see what this one has written: a data race on the counter.
#include <heddle/linux.h>

#ifndef N
#define N 3
#endif

static atomic_t next, owner;
static int counter;

static void ticket_lock(void) {
  const int ticket = atomic_fetch_add_relaxed(1, &next);
  smp_cond_load_acquire(&owner.counter, VAL == ticket);
}

static void ticket_unlock(void) {
#ifdef BUG
  atomic_set(&owner, atomic_read(&owner) + 1);
#else
  atomic_set_release(&owner, atomic_read(&owner) + 1);
#endif
}

static int worker(void *unused) {
  (void)unused;
  ticket_lock();
  ++counter;
  ticket_unlock();
  return 0;
}

int main(void) {
  struct task_struct *t[N];
  for (int i = 0; i < N; ++i) t[i] = kthread_run(worker, NULL, "worker");
  for (int i = 0; i < N; ++i) kthread_stop(t[i]);
  BUG_ON(counter != N);
}
