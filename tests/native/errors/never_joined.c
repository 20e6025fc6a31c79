//! rc20: verified executions=1 text="never joined"
//! rc20: verified executions=1 flags="-- -DDETACH"
// A warning, not an error: a thread that is neither joined nor detached.
#include <pthread.h>

static void *worker(void *unused) {
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
#ifdef DETACH
  pthread_detach(thread);
#endif
  return 0;
}
