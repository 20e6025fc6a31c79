//! rc20: error=data-race line=@copy|@write
//! rc20: verified executions=1 flags="-- -DREAD"
// The source of a memcpy is read: a race with a write, none with a read.
#include <pthread.h>
#include <string.h>

static char source[32], target[32];

static void *copy(void *unused) {
  memmove(target, source, sizeof target);  // @copy
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, copy, 0);
  char seen = 0;
#ifdef READ
  seen = source[31];
#else
  source[31] = 1;  // @write
#endif
  pthread_join(thread, 0);
  return seen;
}
