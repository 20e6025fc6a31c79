//! rc20: error=data-race line=@store
//! rc20: verified executions=1 flags="-- -DSEQUENCE"
// Two children of one parent race with each other; not if the first is joined before the second starts.
#include <assert.h>
#include <pthread.h>

static int shared;

static void *work(void *unused) {
  shared++;  // @store
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
#ifdef SEQUENCE
  pthread_join(first, 0);
#endif
  pthread_create(&second, 0, work, 0);
#ifndef SEQUENCE
  pthread_join(first, 0);
#endif
  pthread_join(second, 0);
  assert(shared == 2);
  return 0;
}
