//! rc20: verified executions=2 blocked=0
//! rc20: error=data-race|misuse|destroy-in-use line=@error flags="-- -DEARLY"
// Who comes last destroys the barrier: all are on their way by then, and none looks at it again. EARLY: who comes first does,
// before it waits.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *meet(void *unused) {
#ifdef EARLY
  pthread_barrier_destroy(&barrier);
#endif
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {  // @error
#ifndef EARLY
    pthread_barrier_destroy(&barrier);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, meet, 0);
  pthread_create(&b, 0, meet, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
