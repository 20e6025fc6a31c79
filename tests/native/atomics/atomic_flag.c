//! rc20: verified executions=2 blocked=0
// The C flag; exactly one thread finds it clear.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int wins[2];

static void *take(void *mine) {
  if (!atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed)) *(int *)mine = 1;
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, take, &wins[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(wins[0] + wins[1] == 1);
  atomic_flag_clear(&flag);
  assert(!atomic_flag_test_and_set(&flag));
  return 0;
}
