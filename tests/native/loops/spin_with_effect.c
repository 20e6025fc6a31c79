//! rc20: error=assertion-failure line=@tries
//! rc20: bounded flags="--unroll 4 -- -DLIMIT=100"
// The loop counts its rounds, so one round is not like the other: the count may be anything.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LIMIT
#define LIMIT 2
#endif

static atomic_int flag;

static void *set(void *unused) {
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  int tries = 0;
  while (atomic_load(&flag) == 0) {
    tries++;
    assert(tries < LIMIT);  // @tries
  }
  pthread_join(thread, 0);
  return 0;
}
