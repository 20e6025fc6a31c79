//! rc20: verified executions=4 blocked=0
// Memory that held an atomic is used plainly after the join, and as an atomic again: what was written in between is
// what the next threads find. Twice two orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int cell;

static void *add(void *unused) {
  atomic_fetch_add_explicit(&cell, 1, memory_order_relaxed);
  return unused;
}

static void both(void) {
  pthread_t first, second;
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
}

int main(void) {
  both();
  int value;
  memcpy(&value, (void *)&cell, sizeof value);
  assert(value == 2);
  memset((void *)&cell, 0, sizeof cell);
  both();
  assert(atomic_load(&cell) == 2);
  return 0;
}
