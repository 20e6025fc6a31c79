//! rc20,sc: error=assertion-failure line=@noticed flags="--races off"
//! rc20,sc: error=data-race line=@write
//! rc20: verified executions=2 blocked=1 flags="--races off -- -DALONE"
//! rc20: verified executions=2 blocked=1 flags="-- -DALONE"
// A plain store that the next round makes anew, and that another thread reads. With --races off that is no error, and what a
// round in vain has stored can be noticed: no round may be left out. ALONE: nobody reads it while the threads run, so rounds in
// vain can be left out as they are without the option.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int head;
static int last = -1;
static int taken, seen = -1;

static void* take(void* unused) {
  int old;
  do {
    old = atomic_load_explicit(&head, memory_order_relaxed);
    last = old;  // @write
  } while (!atomic_compare_exchange_strong(&head, &old, 9));
  taken = old;
  return unused;
}

static void* look(void* unused) {
  atomic_store(&head, 1);
#ifndef ALONE
  seen = last;
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, take, NULL);
  pthread_create(&threads[1], NULL, look, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(!(seen == 0 && taken == 1));  // @noticed
  return 0;
}
