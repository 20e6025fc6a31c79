//! sc,rc20,tso: verified executions=1 blocked=0
//! sc: verified executions=24 blocked=0 flags="-- -DSAME"
//! rc20: verified executions=24 blocked=0 flags="-- -DSAME"
//! rc20: verified executions=24 blocked=0 flags="-j 2 -- -DSAME"
// Four transactions: on different variables they have no order; on the same one all orders.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

#ifdef SAME
#define PLACE(i) 0
#else
#define PLACE(i) i
#endif

static int x[4];

static void *increment(void *place) {
  int *const mine = place;
  heddle_transaction_begin();
  *mine = *mine + 1;
  heddle_transaction_end();
  return 0;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, increment, &x[PLACE(i)]);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += x[i];
  assert(sum == 4);
  return 0;
}
