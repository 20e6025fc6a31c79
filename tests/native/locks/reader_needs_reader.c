//! rc20: verified executions=3 blocked=0
//! rc20: verified executions=11 blocked=0 flags="-- -DTRY"
//! rc20: error=deadlock line=@sleeps flags="-- -DNEVER"
// A reader waits, with the lock, for another reader. A writer that waits for the first keeps the second out nowhere:
// who waits does not hold anything. NEVER: the other one writes, and that is a deadlock.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int here;

static void *waiting(void *unused) {
  pthread_rwlock_rdlock(&lock);
  while (!atomic_load(&here));
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void *other(void *unused) {
#ifdef NEVER
  pthread_rwlock_wrlock(&lock);  // @sleeps
#else
  pthread_rwlock_rdlock(&lock);
#endif
  atomic_store(&here, 1);
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void *writer(void *unused) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, other, 0);
  pthread_create(&b, 0, waiting, 0);
  pthread_create(&c, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
#ifdef TRY
  if (pthread_rwlock_tryrdlock(&lock) == 0) pthread_rwlock_unlock(&lock);
#endif
  return 0;
}
