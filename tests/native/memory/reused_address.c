//! rc20: verified executions=4 blocked=0
// What a thread allocates depends on what it reads, so one address is an int in one execution and a long in another. The
// flag is read early or late, and then the cell.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void *set_flag(void *unused) {
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

static void *set_int(void *cell) {
  atomic_store_explicit((atomic_int *)cell, 5, memory_order_relaxed);
  return 0;
}

static void *set_long(void *cell) {
  atomic_store_explicit((atomic_long *)cell, 5, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, set_flag, 0);
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
    atomic_int *cell = malloc(sizeof *cell);
    atomic_init(cell, 4);
    pthread_create(&second, 0, set_int, cell);
    int seen = atomic_load_explicit(cell, memory_order_relaxed);
    assert(seen == 4 || seen == 5);
  } else {
    atomic_long *cell = malloc(sizeof *cell);
    atomic_init(cell, -4);
    pthread_create(&second, 0, set_long, cell);
    long seen = atomic_load_explicit(cell, memory_order_relaxed);
    assert(seen == -4 || seen == 5);
  }
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
