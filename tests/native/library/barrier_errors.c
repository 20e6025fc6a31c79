//! rc20: error=deadlock line=@wait
//! rc20: error=data-race line=@destroy|@other flags="-- -DDESTROY"
//! rc20: error=misuse line=@wait flags="-- -DDESTROYED"
//! rc20: verified executions=1 flags="-- -DMISS"
// A barrier for two that only one comes to; one that is destroyed while a thread waits at it; one that is used
// afterwards. MISS: a barrier for one.
#include <errno.h>
#include <pthread.h>

pthread_barrier_t barrier;

void* other(void* unused) {
  pthread_barrier_wait(&barrier);  // @other
  return unused;
}

int main(void) {
  if (pthread_barrier_init(&barrier, 0, 0) != EINVAL) return 1;
#ifdef MISS
  pthread_barrier_init(&barrier, 0, 1);
#else
  pthread_barrier_init(&barrier, 0, 2);
#endif
#ifdef DESTROY
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_barrier_destroy(&barrier);  // @destroy
  pthread_join(thread, 0);
#else
#ifdef DESTROYED
  pthread_barrier_destroy(&barrier);
#endif
  pthread_barrier_wait(&barrier);  // @wait
#endif
}
