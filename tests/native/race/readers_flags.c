//! rc20: error=data-race line=@first|@write flags="-- -DWAIT_FOR=second_done"
//! rc20: error=data-race line=@second|@write flags="-- -DWAIT_FOR=first_done"
//! rc20: verified executions=6 blocked=0 flags="-- -DWAIT_FOR=both_done"
// Two readers announce that they are done; the writer waits for one of them only, or for both.
#include <pthread.h>
#include <stdatomic.h>

static int shared;
static atomic_int first_done, second_done, both_done;

static void *first(void *unused) {
  int seen = shared;  // @first
  atomic_store_explicit(&first_done, 1, memory_order_release);
  atomic_fetch_add_explicit(&both_done, 1, memory_order_release);
  return seen == 9 ? unused : 0;
}

static void *second(void *unused) {
  int seen = shared;  // @second
  atomic_store_explicit(&second_done, 1, memory_order_release);
  atomic_fetch_add_explicit(&both_done, 1, memory_order_release);
  return seen == 9 ? unused : 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  int enough = &WAIT_FOR == &both_done ? 2 : 1;
  if (atomic_load_explicit(&WAIT_FOR, memory_order_acquire) == enough) shared = 1;  // @write
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
