//! rc20: error=deadlock
//! why: where 2 of 3 have arrived, and nobody is left who comes.
// A barrier for more threads than there are.
#include <pthread.h>

pthread_barrier_t meeting;

void* worker(void* unused) {
  pthread_barrier_wait(&meeting);
  return unused;
}

int main(void) {
  pthread_barrier_init(&meeting, 0, 3);
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
