//! rc20: verified executions=4 blocked=0
//! rc20: verified executions=14 blocked=0 flags="-- -DTRY"
//! rc20: error=assertion-failure line=@error flags="-- -DCLAIM -DTRY"
//! ra: verified executions=3 flags="-- -DCLAIM"
//! rc20: error=assertion-failure line=@error flags="-- -DCLAIM"
//! sc: verified executions=3 blocked=0 flags="-- -DCLAIM"
// A reader that comes after another one does not see what that did before, under rc20; a writer does, and through it whoever
// comes later. CLAIM: it does see it, as under stronger models.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int x, y;

static void *reader(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef TRY
  pthread_rwlock_trywrlock(&lock);
  pthread_rwlock_unlock(&lock);
#endif
  pthread_create(&thread, 0, reader, 0);
  const int later = atomic_load_explicit(&y, memory_order_relaxed);
  pthread_rwlock_rdlock(&lock);
  const int seen = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_rwlock_unlock(&lock);
#ifdef CLAIM
  assert(!later || seen);  // @error
#else
  (void)later, (void)seen;
#endif
  pthread_join(thread, 0);
  return 0;
}
