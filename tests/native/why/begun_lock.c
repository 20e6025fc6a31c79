//! rc20: error=deadlock text="begin to lock"
//! why: thread 1 (reader) waits for posted, whose count is 0, and nobody is left who raises it.
//! why: thread 2 (writer) waits for lock, which thread 1 (reader) holds
// A writer waits for readers that are there already: it has begun to lock, and does not hold the lock.
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t posted;

void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  sem_wait(&posted);
  pthread_rwlock_unlock(&lock);
  return unused;
}
void* writer(void* unused) {
  pthread_rwlock_wrlock(&lock);
  sem_post(&posted);
  pthread_rwlock_unlock(&lock);
  return unused;
}
void* another(void* unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  sem_init(&posted, 0, 0);
  pthread_t a, b, c;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_create(&c, 0, another, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
