//! rc20: verified executions=48 blocked=0
// Four threads at a barrier for two: two of them come last.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int last;

static void *meet(void *unused) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&last, 1, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  pthread_t threads[4];
  pthread_barrier_init(&barrier, 0, 2);
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, meet, 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  assert(last == 2);
  return 0;
}
