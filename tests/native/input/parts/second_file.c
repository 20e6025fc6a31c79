#include <stdatomic.h>

atomic_int shared_counter;
_Thread_local int per_thread;
static int hidden = 6;

void *second_file_add(void *unused) {
  per_thread++;
  atomic_fetch_add_explicit(&shared_counter, hidden == 6, memory_order_relaxed);
  return unused;
}
