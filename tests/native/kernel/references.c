//! lkmm: verified
//! lkmm: error=use-after-free flags="-- -DEARLY"
//! lkmm: error=assertion-failure flags="-- -DFROM_ZERO"
// An object with a reference count: whoever gives the last reference back frees it, after what all others have done with it.
#include <heddle/linux.h>

struct object {
  struct kref kref;
  int value;
};

static void release(struct kref *kref) { kfree(container_of(kref, struct object, kref)); }

static int user(void *argument) {
  struct object *const object = argument;
  WRITE_ONCE(object->value, READ_ONCE(object->value) + 1);
  kref_put(&object->kref, release);
#ifdef EARLY
  WRITE_ONCE(object->value, 7);
#endif
  return 0;
}

int main(void) {
  struct object *const object = kzalloc(sizeof *object, GFP_KERNEL);
  kref_init(&object->kref);
#ifdef FROM_ZERO
  refcount_set(&object->kref.refcount, 0);
#endif
  kref_get(&object->kref);
  if (!kref_get_unless_zero(&object->kref)) return 1;
  struct task_struct *a = kthread_run(user, object, "a"), *b = kthread_run(user, object, "b");
  BUG_ON(kref_read(&object->kref) > 3);
  kref_put(&object->kref, release);
  kthread_stop(a);
  kthread_stop(b);
  return 0;
}
