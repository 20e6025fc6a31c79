//! rc20: error=joined-twice line=@again
//! rc20: error=joined-twice|invalid-join line=@again flags="-- -DDETACH"
//! rc20: verified executions=1 flags="-- -DONCE"
// A thread is joined once, and not at all if it is detached.
#include <pthread.h>

static void *worker(void *unused) {
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
#ifdef DETACH
  pthread_detach(thread);
#else
  pthread_join(thread, 0);
#endif
#ifndef ONCE
  pthread_join(thread, 0);  // @again
#endif
  return 0;
}
