//! rc20: error=assertion-failure|data-race line=@error
// Two things are wrong; one of them is reported, and the run ends.
#include <assert.h>
#include <pthread.h>

static int shared;

static void *worker(void *unused) {
  shared = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  assert(shared == 7);  // @error
  pthread_join(thread, 0);
  return 0;
}
