//! rc20: error=non-termination line=@loop thread=0 text="main spins on flag for ever"
//! rc20: incomplete executions=0 blocked=1 text="no execution ran to its end" flags="--liveness off"
//! rc20: verified executions=1 blocked=0 flags="-- -DSET"
// Nobody sets the flag that main waits for.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *set(void *unused) {
#ifdef SET
  atomic_store(&flag, 1);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  while (atomic_load(&flag) == 0) {  // @loop
  }
  pthread_join(thread, 0);
  return 0;
}
