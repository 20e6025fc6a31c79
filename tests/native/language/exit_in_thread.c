//! rc20: verified executions=1 blocked=0
//! rc20: error=assertion-failure line=@reached flags="-- -DMAYBE"
// A thread ends the whole program: what main would do after the join is never done. MAYBE: only in some executions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void *leave(void *unused) {
#ifdef MAYBE
  if (atomic_load(&flag) == 0) exit(0);
#else
  exit(0);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, leave, 0);
  atomic_store(&flag, 1);
  pthread_join(thread, 0);
  assert(0);  // @reached
}
