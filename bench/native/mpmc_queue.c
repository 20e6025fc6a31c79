// A client of D. Vyukov's bounded queue: N producers and two consumers, one element each; 791,640 executions for
// N=4.
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

#include "threads.h"

#ifndef N
#define N 4
#endif
#define CAPACITY 4

static struct cell {
  atomic_size_t sequence;
  int value;
} cells[CAPACITY];
static atomic_size_t push_position, pop_position;

static int try_push(int value) {
  size_t position = atomic_load_explicit(&push_position, memory_order_relaxed);
  for (;;) {
    struct cell *cell = &cells[position % CAPACITY];
    size_t sequence = atomic_load_explicit(&cell->sequence, memory_order_acquire);
    ptrdiff_t ahead = (ptrdiff_t)(sequence - position);
    if (ahead < 0) return 0;
    if (ahead > 0) {
      position = atomic_load_explicit(&push_position, memory_order_relaxed);
    } else if (atomic_compare_exchange_strong_explicit(&push_position, &position, position + 1, memory_order_relaxed,
                                                       memory_order_relaxed)) {
      cell->value = value;
      atomic_store_explicit(&cell->sequence, position + 1, memory_order_release);
      return 1;
    }
  }
}

static int try_pop(int *value) {
  size_t position = atomic_load_explicit(&pop_position, memory_order_relaxed);
  for (;;) {
    struct cell *cell = &cells[position % CAPACITY];
    size_t sequence = atomic_load_explicit(&cell->sequence, memory_order_acquire);
    ptrdiff_t ahead = (ptrdiff_t)(sequence - (position + 1));
    if (ahead < 0) return 0;
    if (ahead > 0) {
      position = atomic_load_explicit(&pop_position, memory_order_relaxed);
    } else if (atomic_compare_exchange_strong_explicit(&pop_position, &position, position + 1, memory_order_relaxed,
                                                       memory_order_relaxed)) {
      *value = cell->value;
      atomic_store_explicit(&cell->sequence, position + CAPACITY, memory_order_release);
      return 1;
    }
  }
}

static void *producer(void *argument) {
  int pushed = try_push((int)(intptr_t)argument);
  assert(pushed);
  return 0;
}

static void *consumer(void *unused) {
  int value;
  if (try_pop(&value)) assert(value >= 1 && value <= N);
  return unused;
}

int main(void) {
  for (size_t i = 0; i < CAPACITY; i++) atomic_init(&cells[i].sequence, i);
  pthread_t threads[N + 2];
  for (int i = 0; i < N; i++) threads[i] = start(producer, i + 1);
  for (int i = N; i < N + 2; i++) threads[i] = start(consumer, 0);
  for (int i = 0; i < N + 2; i++) pthread_join(threads[i], 0);
  return 0;
}
