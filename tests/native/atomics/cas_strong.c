//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
// Exactly one of two threads wins; the loser learns the value (litmus RMW+2cas).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int won[3];

static void *claim(void *argument) {
  int self = *(int *)argument, expected = 0;
  won[self] =
      atomic_compare_exchange_strong_explicit(&owner, &expected, self, memory_order_relaxed, memory_order_relaxed);
  assert(won[self] ? expected == 0 : expected == 3 - self);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int ids[2] = {1, 2};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, claim, &ids[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(won[1] + won[2] == 1 && won[atomic_load(&owner)]);
  return 0;
}
