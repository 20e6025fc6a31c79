//! rc20: bounded executions=4 flags="--stale 1 --equivalence co"
//! rc20: error=assertion-failure line=@error flags="--stale 1 -- -DBUG"
//! sc: bounded flags="--stale 1 -- -DBUG"
//! rc20: bounded flags="--stale 1 -- -DLATE"
//! rc20: bounded flags="--stale 3 -- -DLATE"
// Two threads that wait for each other and write in every round. Each lets the other go on when it has looked often enough.
// LATE: the second one looks several times before it gives the first one what that waits for. So both have looked often enough
// while nobody has written anything, and still they must take turns.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready[2], rounds[2], asked;

static int isReady(int thread) { return atomic_load_explicit(&ready[thread], memory_order_relaxed); }
static void count(int self) { atomic_fetch_add_explicit(&rounds[self], 1, memory_order_relaxed); }

static void meet(int self) {
  atomic_store_explicit(&ready[self], 1, memory_order_relaxed);
  while (!isReady(1 - self)) count(self);
}

static void *second(void *unused) {
  (void)unused;
#ifdef LATE
  for (int i = 0; i < 4; i++) {
    if (atomic_load_explicit(&asked, memory_order_relaxed)) break;
    count(1);
  }
#endif
  meet(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  meet(0);
#ifdef BUG
  assert(rounds[0] == 0 || rounds[1] == 0);  // @error
#endif
  pthread_join(thread, 0);
  return 0;
}
