//! rc11: bounded flags="--unroll 2"
// A wait that writes what it has read is a write all the same: rounds are told apart, and only a bound ends them.
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
  while (atomic_fetch_or(&flag, 0) == 0) {
  }
  pthread_join(thread, 0);
  return 0;
}
