//! rc20: verified executions=5 blocked=0
//! rc20: verified executions=2 blocked=0 flags="--no-spurious"
//! rc20: error=assertion-failure line=@won flags="-- -DSOMEBODY"
//! rc20: verified executions=2 blocked=0 flags="--no-spurious -- -DSOMEBODY"
// Weak compare-exchanges may fail although the value is the expected one (litmus RMW+2weakcas: both fail, one of
// them does, or the second one finds the first one's value, in either order: 5). SOMEBODY: that one succeeds holds only
// if that does not happen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int won[3];

static void *claim(void *argument) {
  int self = *(int *)argument, expected = 0;
  won[self] =
      atomic_compare_exchange_weak_explicit(&owner, &expected, self, memory_order_relaxed, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int ids[2] = {1, 2};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, claim, &ids[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
#ifdef SOMEBODY
  assert(won[1] + won[2] == 1);  // @won
#endif
  return 0;
}
