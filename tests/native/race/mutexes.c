//! rc20: verified executions=2 blocked=0
//! rc20: error=data-race line=@left|@right flags="-- -DTWO"
//! rc20: error=data-race line=@left|@right flags="-- -DONE_SIDE"
// One mutex for both sides; two different ones; one side without.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
#ifdef TWO
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
#else
#define other lock
#endif

static void *left(void *unused) {
  pthread_mutex_lock(&lock);
  counter++;  // @left
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, left, 0);
#ifndef ONE_SIDE
  pthread_mutex_lock(&other);
#endif
  counter++;  // @right
#ifndef ONE_SIDE
  pthread_mutex_unlock(&other);
#endif
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}
