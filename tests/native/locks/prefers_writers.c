//! rc20,sc,tso: error=deadlock line=@again|@write|@join text="waits for lock"
//! rc20: error=deadlock line=@again|@write|@join flags="-- -DATTRIBUTE=PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP"
//! rc20: verified executions=2 blocked=0 flags="-- -DATTRIBUTE=PTHREAD_RWLOCK_PREFER_WRITER_NP"
//! rc20: verified executions=2 blocked=0 flags="-- -DATTRIBUTE=PTHREAD_RWLOCK_DEFAULT_NP"
//! rc20: verified executions=3 blocked=0 flags="-- -DONCE"
//! rc20: verified executions=4 blocked=0 flags="-- -DTRY"
// A lock that prefers writers keeps a reader out that reads it already, if a writer waits: a deadlock. Not if the lock prefers
// readers, as all other kinds do, nor if the thread only tries.
#define _GNU_SOURCE
#include <pthread.h>

#ifdef ATTRIBUTE
static pthread_rwlock_t lock;
#else
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#endif
static int data;

static void *write_it(void *unused) {
  pthread_rwlock_wrlock(&lock);  // @write
  ++data;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t writer;
#ifdef ATTRIBUTE
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, ATTRIBUTE);
  pthread_rwlock_init(&lock, &attributes);
#endif
  pthread_create(&writer, 0, write_it, 0);
  pthread_rwlock_rdlock(&lock);
  int seen = data;
#if defined TRY
  if (pthread_rwlock_tryrdlock(&lock) == 0) pthread_rwlock_unlock(&lock);
#elif !defined ONCE
  pthread_rwlock_rdlock(&lock);  // @again
  pthread_rwlock_unlock(&lock);
#endif
  pthread_rwlock_unlock(&lock);
  pthread_join(writer, 0);  // @join
  return seen > 1;
}
