//! rc20: verified executions=4 blocked=4
//! sc: verified executions=4 blocked=4
//! rc20: error=data-race line=@critical flags="--suggest -- -DBUG"
//! why: No interleaving of the threads explains this execution.
//! tso: error=data-race line=@critical flags="-- -DBUG"
//! sc: verified executions=4 blocked=4 flags="-- -DBUG"
//
// Peterson's algorithm: G. L. Peterson, "Myths about the mutual exclusion problem" (IPL 1981). Mutual exclusion from
// loads and stores alone, which needs all of them to be sequentially consistent.
//
// BUG: release and acquire in place of seq_cst. A thread's store to its own flag may be delayed past its load of the
// other one's, and both go in. x86 does this; a machine that is sequentially consistent would not.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef BUG
#define STORE memory_order_release
#define LOAD memory_order_acquire
#else
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif

static atomic_bool interested[2];
static atomic_int turn;
static int counter;

static void *enter(void *argument) {
  int self = (int)(intptr_t)argument;
  int other = 1 - self;
  atomic_store_explicit(&interested[self], true, STORE);
  atomic_store_explicit(&turn, other, STORE);
  while (atomic_load_explicit(&interested[other], LOAD) && atomic_load_explicit(&turn, LOAD) == other) sched_yield();
  counter++;  // @critical
  atomic_store_explicit(&interested[self], false, STORE);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, enter, (void *)(intptr_t)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(counter == 2);
  return 0;
}
