//! rc20: error=deadlock line=@sleeps
//! rc20: error=deadlock line=@sleeps flags="--liveness off"
//! rc20: verified executions=4 blocked=0 flags="-- -DORDER"
// Main spins until both threads are done; they take two mutexes in opposite orders. The deadlock is the error, not the loop.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *first(void *unused) {
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);  // @sleeps
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  atomic_fetch_add(&done, 1);
  return unused;
}

static void *second(void *unused) {
#ifdef ORDER
  return first(unused);
#else
  pthread_mutex_lock(&right);
  pthread_mutex_lock(&left);
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
  atomic_fetch_add(&done, 1);
  return unused;
#endif
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  while (atomic_load(&done) != 2) {
  }
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
