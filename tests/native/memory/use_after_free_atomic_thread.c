//! rc20,sc: error=data-race|use-after-free line=@error
//! rc20,sc: error=data-race|dead-frame line=@error flags="-- -DLOCAL"
//! rc20,sc: error=use-after-free line=@error flags="--races=off"
//! rc20,sc: error=dead-frame line=@error flags="--races=off -- -DLOCAL"
//! rc20,sc: verified executions=1 blocked=0 flags="-- -DJOIN"
// One thread frees what another one reads atomically. LOCAL: it is a local variable of a function that returns.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *shared;

static void *reader(void *unused) {
  (void)atomic_load(shared);  // @error
  return unused;
}

static pthread_t start(void) {
  pthread_t thread;
#ifdef LOCAL
  atomic_int local = 1;
  shared = &local;
#else
  shared = malloc(sizeof *shared);
#endif
  atomic_store(shared, 3);
  pthread_create(&thread, 0, reader, 0);
#ifdef JOIN
  pthread_join(thread, 0);
#endif
#ifndef LOCAL
  free(shared);
#endif
  return thread;
}

int main(void) {
  const pthread_t thread = start();
#ifndef JOIN
  pthread_join(thread, 0);
#endif
  (void)thread;
}
