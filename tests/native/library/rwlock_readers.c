//! rc20: verified executions=14 blocked=0
//! rc20: error=assertion-failure line=@alone flags="-- -DALONE"
// Readers are in at the same time, a writer is alone. ALONE: a reader claims to be alone, too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
atomic_int readers;

void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  atomic_fetch_add_explicit(&readers, 1, memory_order_relaxed);
#ifdef ALONE
  assert(atomic_load_explicit(&readers, memory_order_relaxed) == 1);  // @alone
#endif
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  atomic_fetch_sub_explicit(&readers, 1, memory_order_relaxed);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_rwlock_wrlock(&lock);
  assert(atomic_load_explicit(&readers, memory_order_relaxed) == 0);
  pthread_rwlock_unlock(&lock);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
