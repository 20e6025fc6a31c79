//! rc20: verified executions=0 blocked=1
// The program ends while a thread still spins: nobody waits for it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int never;

static void *spin(void *unused) {
  while (atomic_load(&never) == 0) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, spin, 0);
  pthread_detach(thread);
  return 0;
}
