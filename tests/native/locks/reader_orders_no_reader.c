//! rc20: error=data-race line=@write|@read
//! rc20: verified executions=1 blocked=0 flags="-- -DWRITER"
// To give back a lock after reading happens before whoever writes next, not before whoever reads next. WRITER: the
// second one takes the lock for writing.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int done;
static int x;

static void *first(void *unused) {
  pthread_rwlock_rdlock(&lock);
  x = 1;  // @write
  pthread_rwlock_unlock(&lock);
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  while (!atomic_load_explicit(&done, memory_order_relaxed));
#ifdef WRITER
  pthread_rwlock_wrlock(&lock);
#else
  pthread_rwlock_rdlock(&lock);
#endif
  int seen = x;  // @read
  pthread_rwlock_unlock(&lock);
  return seen == 1 ? unused : &x;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
