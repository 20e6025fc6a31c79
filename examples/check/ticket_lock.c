//! rc20: verified executions=2
//! sc: verified executions=2
//! rc20: error=data-race line=@withdraw|@deposit flags="--suggest -- -DBUG"
//! why: Suggestion: acquire instead of relaxed for load lock.display at ticket_lock.c:31. With this change the program has no error
//
// A ticket lock: first come, first served. D. P. Reed and R. K. Kanodia, "Synchronization with eventcounts and
// sequencers" (CACM 1979); as a spinlock in J. M. Mellor-Crummey and M. L. Scott, "Algorithms for scalable
// synchronization on shared-memory multiprocessors" (TOCS 1991). The two orders of the threads at the dispenser are all
// there is to choose.
//
// BUG: the thread that waits looks at the display with relaxed order. It knows that it is its turn, and not what those
// before it have done.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef BUG
#define WAIT_ORDER memory_order_relaxed
#else
#define WAIT_ORDER memory_order_acquire
#endif

struct ticket_lock {
  atomic_uint dispenser;  // the next ticket
  atomic_uint display;    // the ticket that is served
};

static void ticket_lock(struct ticket_lock *lock) {
  unsigned ticket = atomic_fetch_add_explicit(&lock->dispenser, 1, memory_order_relaxed);
  while (atomic_load_explicit(&lock->display, WAIT_ORDER) != ticket) sched_yield();
}

// Only the owner writes the display, so a load and a store will do.
static void ticket_unlock(struct ticket_lock *lock) {
  unsigned ticket = atomic_load_explicit(&lock->display, memory_order_relaxed);
  atomic_store_explicit(&lock->display, ticket + 1, memory_order_release);
}

static struct ticket_lock lock;
static long balance = 100;

static void *withdraw(void *unused) {
  (void)unused;
  ticket_lock(&lock);
  balance -= 30;  // @withdraw
  ticket_unlock(&lock);
  return NULL;
}

static void *deposit(void *unused) {
  (void)unused;
  ticket_lock(&lock);
  balance += 50;  // @deposit
  ticket_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, withdraw, NULL);
  pthread_create(&threads[1], NULL, deposit, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(balance == 120);
  return 0;
}
