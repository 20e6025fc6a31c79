//! rc20: verified executions=4 blocked=0
//! rc20: error=assertion-failure line=@error flags="-- -DALWAYS"
// A reader and a writer that only try: either is before the other, or while the other has the lock, and fails.
// ALWAYS: the reader claims that it never fails.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *reader(void *unused) {
  const int result = pthread_rwlock_tryrdlock(&lock);
#ifdef ALWAYS
  assert(result == 0);  // @error
#endif
  if (result == EBUSY) return unused;
  assert(x == y);
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void *writer(void *unused) {
  if (pthread_rwlock_trywrlock(&lock) != 0) return unused;
  x = 1;
  y = 1;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
