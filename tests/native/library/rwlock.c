//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
//! rc20: error=data-race line=@read|@write flags="-- -DBUG"
// A reader and a writer: either comes first, and the other waits. BUG: the writer takes the lock for reading.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

void* writer(void* unused) {
#ifdef BUG
  pthread_rwlock_rdlock(&lock);
#else
  pthread_rwlock_wrlock(&lock);
#endif
  x = 1;  // @write
  y = 1;
  pthread_rwlock_unlock(&lock);
  return unused;
}

void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  assert(x == y);  // @read
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
