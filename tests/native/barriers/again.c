//! rc20: verified executions=1 blocked=0
//! rc20: error=deadlock line=@error flags="-- -DMISSING"
//! rc20: error=misuse line=@init flags="-- -DTWICE"
//! rc20: error=misuse line=@main flags="-- -DDESTROYED"
//! rc20: error=misuse line=@noinit flags="-- -DNOINIT"
//! rc20: error=misuse line=@destroy flags="-- -DDESTROYED -DDESTROY"
//! rc20: error=data-race line=@error-2 flags="-- -DEARLY"
// A barrier that is destroyed and initialised again is another one. MISSING: somebody came to the first one only. TWICE: it
// is not destroyed in between, which is an error. DESTROYED, NOINIT: it is used after that, or before it is initialised. EARLY: it is
// destroyed while another thread may still wait.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int data;

static void *other(void *round) {
  data++;
#ifdef MISSING
  if (*(int *)round == 1) return 0;
#endif
  pthread_barrier_wait(&barrier);
  return round;
}

int main(void) {
  for (int round = 0; round < 2; round++) {
#ifndef NOINIT
    pthread_barrier_init(&barrier, 0, 2);  // @init
#endif
    pthread_t thread;
#ifdef DESTROYED
    pthread_barrier_destroy(&barrier);
#ifdef DESTROY
    pthread_barrier_destroy(&barrier);  // @destroy
#endif
    pthread_barrier_wait(&barrier);  // @main
#endif
#ifdef NOINIT
    pthread_barrier_wait(&barrier);  // @noinit
#endif
    pthread_create(&thread, 0, other, &round);
#ifdef EARLY
    pthread_barrier_destroy(&barrier);  // @error-2
#endif
    pthread_barrier_wait(&barrier);  // @error
    assert(data == round + 1);
    pthread_join(thread, 0);
#ifndef TWICE
    pthread_barrier_destroy(&barrier);
#endif
  }
  return 0;
}
