//! rc20: verified executions=1 flags="-- -DSHAPE=1"
//! rc20: verified executions=1 flags="-- -DSHAPE=2"
//! rc20: verified executions=1 flags="-- -DSHAPE=3"
//! rc20: verified executions=1 flags="-- -DSHAPE=4"
//! rc20: verified executions=8 flags="-- -DSHAPE=5"
//! rc20: error=assertion-failure line=@one flags="-- -DSHAPE=6"
// Who came last to a barrier is explored only if the program asks: a test for failure does not (1 to 4). 5: the last one does
// something more. 6: what two calls have returned is compared.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static int last[3];

static void *worker(void *unused) {
  for (int round = 0; round < 3; round++) {
    int result = pthread_barrier_wait(&barrier);
#if SHAPE == 1
    if (result != 0 && result != PTHREAD_BARRIER_SERIAL_THREAD) abort();
#elif SHAPE == 2
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
#elif SHAPE == 3
    if (result > 0) {
      perror("pthread_barrier_wait");
      exit(1);
    }
#elif SHAPE == 4
    switch (result) {
      case 0:
      case PTHREAD_BARRIER_SERIAL_THREAD: break;
      default: return 0;
    }
#elif SHAPE == 5
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) last[round]++;
#else
    const int again = pthread_barrier_wait(&barrier);
    assert(result == again);  // @one
#endif
  }
  return unused;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 2);
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  return 0;
}
