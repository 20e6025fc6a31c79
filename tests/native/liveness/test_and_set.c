//! rc20, sc: error=non-termination text="spins on taken for ever"
//! rc20: error=non-termination line=@error flags="-- -DTWO"
//! rc20: error=deadlock line=@sleeps flags="-- -DMUTEXES"
//! rc20: verified executions=2 blocked=1 flags="-- -DRELEASE -DTWO"
// A test-and-set loop writes what is there already: it waits like a loop that only reads, and so do several of them. With
// MUTEXES the loop waits for threads that are in a deadlock.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken = 1;
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void *take(void *unused) {
  while (atomic_exchange(&taken, 1)) {  // @error
  }
#ifdef RELEASE
  atomic_store(&taken, 0);
#endif
  return unused;
}

static void *both(void *first) {
  pthread_mutex_lock(first ? &left : &right);
  pthread_mutex_lock(first ? &right : &left);  // @sleeps
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
  if (first) atomic_store(&taken, 0);
  return 0;
}

int main(void) {
  pthread_t a, b;
#ifdef MUTEXES
  pthread_create(&a, 0, both, &left);
  pthread_create(&b, 0, both, 0);
  take(0);
  pthread_join(b, 0);
#else
  pthread_create(&a, 0, take, 0);
#ifdef TWO
  pthread_create(&b, 0, take, 0);
#endif
#ifdef RELEASE
  atomic_store(&taken, 0);
#endif
#ifdef TWO
  pthread_join(b, 0);
#endif
#endif
  pthread_join(a, 0);
  return 0;
}
