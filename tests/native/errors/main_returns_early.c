//! rc20: error=assertion-failure line=@late
//! rc20: verified executions=1 blocked=0 flags="-- -DJOIN"
// Main returns while a thread is still running: what the thread may still do counts. JOIN: the value is there by then.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int finished;

static void *worker(void *unused) {
#ifdef JOIN
  assert(atomic_load(&finished) == 0);
#else
  assert(atomic_load(&finished) == 1);  // @late
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
#ifdef JOIN
  pthread_join(thread, 0);
#endif
  atomic_store(&finished, 1);
  return 0;
}
