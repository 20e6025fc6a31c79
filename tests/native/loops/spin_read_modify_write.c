//! rc20: verified executions=1 blocked=1
//! sc: verified executions=1 blocked=1
//! rc20: bounded flags="--unroll 2 -- -DCHANGES"
// A wait that writes what it has read changes nothing. One that counts does, and only a bound ends it.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *set(void *unused) {
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
#ifdef CHANGES
  while (atomic_fetch_add(&flag, 2) % 2 == 0) {
  }
#else
  while (atomic_fetch_or(&flag, 0) == 0) {
  }
#endif
  pthread_join(thread, 0);
  return 0;
}
