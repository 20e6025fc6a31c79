//! rc20: verified executions=1 flags="-- -DSELF"
//! rc20: error=invalid-join|misuse line=@nobody flags="-- -DNOBODY"
//! rc20: verified executions=1
// A thread that never was. A thread that joins itself is told so.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

static void *worker(void *unused) {
#ifdef SELF
  assert(pthread_join(pthread_self(), 0) == EDEADLK);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
#ifdef NOBODY
  pthread_join((pthread_t)(uintptr_t)777, 0);  // @nobody
#endif
  return 0;
}
