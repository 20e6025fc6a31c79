//! rc20: verified executions=2 blocked=0
//! rc20: error=self-lock line=@lock flags="-- -DTWICE"
//! rc20: error=unlock-not-held line=@unlock flags="-- -DNOT_HELD"
// Spin locks are locks: two threads, two orders.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_spinlock_t lock;
int x;

void* increment(void* unused) {
#ifndef NOT_HELD
  pthread_spin_lock(&lock);
#endif
#ifdef TWICE
  pthread_spin_lock(&lock);  // @lock
#else
  assert(pthread_spin_trylock(&lock) == EBUSY);
#endif
  ++x;
  pthread_spin_unlock(&lock);  // @unlock
  return unused;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#ifdef NOT_HELD
  pthread_spin_lock(&lock);
#endif
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  pthread_spin_destroy(&lock);
}
