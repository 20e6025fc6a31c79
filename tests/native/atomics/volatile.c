//! rc20: error=data-race line=@write|@read
//! sc: error=data-race line=@write|@read
//! rc20: verified executions=2 blocked=0 flags="--volatile=relaxed"
// A volatile access is a plain one, unless one asks for relaxed atomics.
#include <assert.h>
#include <pthread.h>

static volatile int flag;

static void *set(void *unused) {
  flag = 1;  // @write
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  int seen = flag;  // @read
  assert(seen == 0 || seen == 1);
  pthread_join(thread, 0);
  return 0;
}
