//! rc20: verified executions=2 flags="-- -mcx16"
// Additions to an __int128 carry over into the upper half. Two orders of two additions, which are compare-exchange loops:
// an execution in which the loop would go round is blocked.
#include <assert.h>
#include <pthread.h>

static _Atomic unsigned __int128 wide = (unsigned __int128)~0ul;

static void *add(void *unused) {
  wide += 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  wide += 1;
  pthread_join(thread, 0);
  unsigned __int128 result = wide;
  assert((unsigned long)(result >> 64) == 1);
  assert((unsigned long)result == 1);
  return 0;
}
