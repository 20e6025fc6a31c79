//! rc20: verified executions=2
// Who asks which thread came last gets every answer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int serial;

static void *wait_there(void *unused) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) atomic_fetch_add(&serial, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, wait_there, 0);
  wait_there(0);
  pthread_join(thread, 0);
  assert(atomic_load(&serial) == 1);
  return 0;
}
