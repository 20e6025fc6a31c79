//! rc20: verified executions=2 blocked=0
// The larger of two maxima stays, whichever comes first.
#include <assert.h>
#include <pthread.h>

static int best = -5;

static void *raise_to(void *value) {
  __atomic_fetch_max(&best, *(int *)value, __ATOMIC_RELAXED);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int values[2] = {-3, 4};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, raise_to, &values[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(__atomic_fetch_min(&best, -7, __ATOMIC_RELAXED) == 4);
  assert(best == -7);
  return 0;
}
