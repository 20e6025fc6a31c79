//! sc,rc20: error=data-race line=@error flags="--persistency strict"
//! sc,rc20: error=data-race line=@error-2 flags="--persistency strict -- -DREAD"
//! sc: verified executions=6 blocked=0 flags="--persistency strict --races off"
//! sc: verified executions=4 blocked=0 flags="--persistency strict --races off -- -DREAD"
// Plain accesses to durable memory race as others do. With --races off each order of two writes has three recoveries, and each value that is
// read two.
#include <heddle/heddle.h>
#include <pthread.h>

HEDDLE_PERSISTENT int x;

static void *work(void *unused) {
#ifdef READ
  volatile int found = x;
  (void)found;
#else
  x = 2;  // @error
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  x = 1;  // @error-2
  pthread_join(thread, 0);
  return 0;
}

void heddle_recovery(void) { heddle_assert(x >= 0 && x <= 2); }
