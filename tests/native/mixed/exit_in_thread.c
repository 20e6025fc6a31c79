//! rc20: verified executions=2 blocked=0
//! rc20: error=assertion-failure line=@reached flags="-- -DMAYBE"
// A thread ends the whole program: what main would do after the join is never done, with mixed sizes as well. MAYBE: only in
// some executions.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static uint64_t word;

static void *leave(void *unused) {
  const uint32_t low = __atomic_load_n((uint32_t *)&word, __ATOMIC_RELAXED);
#ifdef MAYBE
  if (low == 0) exit(0);
#else
  exit((int)low & 0);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, leave, 0);
  __atomic_store_n(&word, 1, __ATOMIC_RELAXED);
  pthread_join(thread, 0);
  assert(0);  // @reached
}
