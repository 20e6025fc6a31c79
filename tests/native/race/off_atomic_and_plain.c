//! rc20,sc: verified executions=3 blocked=0 flags="--races=off"
// A plain access and an atomic one to the same object are relaxed events, whichever comes first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int x;

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  const int first = __atomic_load_n(&x, __ATOMIC_RELAXED);
  const int second = x;
  pthread_join(thread, 0);
  assert(first <= second && x == 1);
}
