//! rc20, sc: error=assertion-failure
//! rc20: verified executions=7 blocked=0 flags="-- -DMANY"
// A compare-exchange is retried with what it has found, and rounds are counted in which that was 5: the value may go from 5
// to 6 and back, so the round in between cannot be left out.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 5;

static void *there_and_back(void *unused) {
  atomic_store(&x, 6);
  atomic_store(&x, 5);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, there_and_back, 0);
  int fives = 0, old = atomic_load(&x);
  do fives += old == 5;
  while (!atomic_compare_exchange_strong(&x, &old, 9));
#ifdef MANY
  assert(fives < 3);
#else
  assert(fives < 2);
#endif
  pthread_join(thread, 0);
  return 0;
}
