//! lkmm: verified
//! lkmm: error=use-after-free|data-race flags="-- -DBUG"
//! why: An interleaving of the threads, the one above, leads there.
//
// A lockref: a lock and a reference count in one word, so that a reference can be taken without the lock while nobody holds it.
// The lowest bit is the lock, what is above it the count; a dead object has no references and is never found again.
//
// BUG: the last reference is dropped without a full order, so what the other owner has written may still come when the object is freed.
#include <heddle/linux.h>

enum { LOCKED = 1, ONE = 2 };

struct object {
  u64 lockref;
  int data[2];
};

static bool lockref_put(u64 *lockref) {
  u64 old = READ_ONCE(*lockref);
  for (;;) {
    if (old & LOCKED) {
      old = READ_ONCE(*lockref);
      continue;
    }
#ifdef BUG
    if (try_cmpxchg64_relaxed(lockref, &old, old - ONE)) return old == ONE;
#else
    if (try_cmpxchg64(lockref, &old, old - ONE)) return old == ONE;
#endif
  }
}

static void lockref_lock(u64 *lockref) {
  u64 old = READ_ONCE(*lockref);
  while ((old & LOCKED) || !try_cmpxchg_acquire(lockref, &old, old | LOCKED)) old = READ_ONCE(*lockref);
}

static void lockref_unlock(u64 *lockref) { smp_store_release(lockref, READ_ONCE(*lockref) & ~(u64)LOCKED); }

static struct object *shared;

static int owner(void *argument) {
  struct object *object = shared;
  const int self = *(int *)argument;
  lockref_lock(&object->lockref);
  object->data[self] = 1;
  lockref_unlock(&object->lockref);
  object->data[self] = 2;
  if (lockref_put(&object->lockref)) kfree(object);
  return 0;
}

int main(void) {
  int number[2] = {0, 1};
  shared = kzalloc(sizeof *shared, GFP_KERNEL);
  shared->lockref = 2 * ONE;
  struct task_struct *a = kthread_run(owner, &number[0], "owner");
  struct task_struct *b = kthread_run(owner, &number[1], "owner");
  kthread_stop(a);
  kthread_stop(b);
}
