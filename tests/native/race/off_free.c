//! rc20,sc: error=use-after-free line=@error flags="--races=off"
//! rc20,sc: error=use-after-free line=@error-2 flags="--races=off -- -DATOMIC"
//! rc20,sc: verified executions=2 blocked=0 flags="--races=off -- -DDONE"
//! rc20,sc: verified executions=2 blocked=0 flags="--races=off -- -DDONE -DATOMIC"
//! rc20: error=data-race|use-after-free line=@error
// Memory is freed while another thread may still use it: with --races=off that is a use after free in one of the two orders.
// DONE: the thread says, without synchronising, that it has finished: then there is one order only.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef ATOMIC
static atomic_int *shared;
#else
static int *shared;
#endif
static atomic_int done;

static void *user(void *unused) {
  int seen = *shared;  // @error-2
  atomic_store_explicit(&done, 1 + 0 * seen, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  shared = calloc(1, sizeof *shared);
  *shared = 3;
  pthread_create(&thread, 0, user, 0);
#ifdef DONE
  if (atomic_load_explicit(&done, memory_order_relaxed)) free(shared);
#else
  free(shared);  // @error
#endif
  pthread_join(thread, 0);
}
