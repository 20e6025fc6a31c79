//! sc,rc20: verified executions=1 flags="-- -DOUTSIDE"
//! sc,rc20: verified executions=4 flags="-- -DRETRY"
//! rc20: bounded flags="--unroll 3"
// A thread waits outside for what a transaction writes; RETRY: in a transaction that is tried three times. Otherwise it looks in a transaction
// of its own in each round, which is explored round by round.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *publish(void *p) {
  heddle_transaction_begin();
  data = 1;
  atomic_store(&ready, 1);
  heddle_transaction_end();
  return p;
}

static int look(void) {
  heddle_transaction_begin();
  const int found = atomic_load(&ready) ? data : 0;
  heddle_transaction_end();
  return found;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, publish, 0);
#ifdef OUTSIDE
  while (atomic_load(&ready) == 0) continue;
  assert(look() == 1);
#elif defined RETRY
  for (int i = 0; i < 3; ++i) {
    if (look()) break;
  }
#else
  while (!look()) continue;
#endif
  pthread_join(thread, 0);
  return 0;
}
