//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
//! rc20: error=deadlock line=@wait flags="-- -DFORGET"
//! rc20: error=data-race line=@write|@read flags="-- -DTWO"
// A semaphore as a signal, then as a lock. FORGET: nobody posts. TWO: the lock lets two in.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

sem_t signal, lock;
int data, x;

void* other(void* unused) {
  data = 1;
#ifndef FORGET
  sem_post(&signal);
#endif
  sem_wait(&lock);
  ++x;  // @write
  sem_post(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&signal, 0, 0);
#ifdef TWO
  sem_init(&lock, 0, 2);
#else
  sem_init(&lock, 0, 1);
#endif
  pthread_create(&thread, 0, other, 0);
  sem_wait(&signal);  // @wait
  assert(data == 1);
  sem_wait(&lock);
  ++x;  // @read
  sem_post(&lock);
  pthread_join(thread, 0);
  assert(x == 2);
  sem_destroy(&signal);
  sem_destroy(&lock);
}
