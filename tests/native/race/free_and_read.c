//! rc20: error=data-race|use-after-free line=@free|@read
//! rc20: verified executions=2 blocked=0 flags="-- -DFLAG"
// One thread frees what another one reads. FLAG: the reader says when it is done.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *cell;
static atomic_int done;

static void *reader(void *unused) {
  int seen = *cell;  // @read
  atomic_store_explicit(&done, 1, memory_order_release);
  return seen == 9 ? unused : NULL;
}

int main(void) {
  cell = malloc(sizeof *cell);
  *cell = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
#ifdef FLAG
  if (atomic_load_explicit(&done, memory_order_acquire))
#endif
    free(cell);  // @free
  pthread_join(thread, NULL);
  return 0;
}
