//! rc20: verified executions=2 blocked=0
// Two threads take a semaphore of one once, in either order.
#include <pthread.h>
#include <semaphore.h>

sem_t lock;
int x;

void* increment(void* unused) {
  sem_wait(&lock);
  ++x;
  sem_post(&lock);
  return unused;
}

int main(void) {
  sem_init(&lock, 0, 1);
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
