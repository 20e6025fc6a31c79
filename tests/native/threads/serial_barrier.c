//! rc20: verified executions=2 blocked=0
// A barrier that is asked who came last, for threads with high numbers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;

static void *nothing(void *unused) { return unused; }

static void *meet(void *unused) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) atomic_fetch_add(&serial, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 200; i++) {
    pthread_create(&a, NULL, nothing, NULL);
    pthread_join(a, NULL);
  }
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&a, NULL, meet, NULL);
  pthread_create(&b, NULL, meet, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(atomic_load(&serial) == 1);
  return 0;
}
