//! rc20,sc: error=dead-frame line=@error flags="--races=off"
//! rc20,sc: verified executions=1 blocked=0 flags="--races=off -- -DDONE"
// The same for a local variable of a function that returns.
#include <pthread.h>
#include <stdatomic.h>

static int *shared;
static atomic_int done;

static void *user(void *unused) {
  *shared = 2;
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return unused;
}

static pthread_t start(void) {
  int local = 1;
  pthread_t thread;
  shared = &local;
  pthread_create(&thread, 0, user, 0);
#ifdef DONE
  while (!atomic_load_explicit(&done, memory_order_relaxed)) {
  }
#endif
  return thread;  // @error
}

int main(void) { pthread_join(start(), 0); }
