//! rc20: verified executions=2 flags="-- -DSHAPE=1"
//! rc20: verified executions=2 flags="-- -DSHAPE=2"
//! rc20: verified executions=2 flags="-- -DSHAPE=3"
//! sc: verified executions=2 flags="-- -DSHAPE=1"
//! rc20: verified executions=2 flags="--equivalence rf -- -DSHAPE=1"
//! rc20: error=uninitialised-read line=@exchange flags="-- -DSHAPE=1 -DPART"
//! rc20: error=assertion-failure line=@sum flags="-- -DSHAPE=2 -DBUG"
// A small structure is loaded, copied, changed and exchanged by a weak compare-exchange, until that succeeds. All of it is values, and the
// loop waits. Members that nobody has written are still found.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#if SHAPE == 1
struct Pair {
  short number, other;
};
#elif SHAPE == 2
struct Pair {
  char number;  // and a hole
  short other;
};
#else
struct Pair {
  unsigned number : 3, more : 5;
  unsigned short other;
};
#endif

static _Atomic(struct Pair) shared;

static void *add(void *unused) {
  struct Pair old = atomic_load(&shared);
  struct Pair next;
#ifdef PART
  do {
    next.number = (short)(old.number + 1);
  } while (!atomic_compare_exchange_weak(&shared, &old, next));  // @exchange
#else
  do {
    next = old;
    next.number++;
  } while (!atomic_compare_exchange_weak(&shared, &old, next));
#endif
  return unused;
}

int main(void) {
  const struct Pair first = {.number = 1, .other = 3};
  atomic_init(&shared, first);
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  add(0);
#ifndef BUG
  pthread_join(thread, 0);
#endif
  const struct Pair last = atomic_load(&shared);
  assert(last.number == 3 && last.other == 3);  // @sum
#ifdef BUG
  pthread_join(thread, 0);
#endif
  return 0;
}
