//! rc20: verified executions=1 blocked=0
//! rc20: error=data-race line=@error flags="-- -DNOT_JOINED"
// A child starts and joins a child of its own; the join of the first covers the second. NOT_JOINED: it does not wait.
#include <assert.h>
#include <pthread.h>

static int shared;
static pthread_t inner;

static void *deeper(void *unused) {
  shared = 1;
  return unused;
}

static void *child(void *unused) {
  pthread_create(&inner, 0, deeper, 0);
#ifndef NOT_JOINED
  pthread_join(inner, 0);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, child, 0);
  pthread_join(thread, 0);
  int seen = shared;  // @error
  assert(seen == 0 || seen == 1);
#ifdef NOT_JOINED
  pthread_join(inner, 0);
#endif
  return 0;
}
