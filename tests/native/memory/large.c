//! rc20: verified executions=2 blocked=0
// Megabytes, on the heap and in globals, written by two threads and taken back between the executions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SIZE (2u << 20)

static char global[SIZE];
static atomic_int order;

static void *work(void *argument) {
  char *half = argument;
  int mine = atomic_fetch_add_explicit(&order, 1, memory_order_relaxed) + 1;
  memset(half, mine, SIZE / 2);
  char *copy = malloc(SIZE / 2);
  memcpy(copy, half, SIZE / 2);
  for (unsigned i = 0; i < SIZE / 2; i += 4099) assert(copy[i] == mine);
  free(copy);
  return 0;
}

int main(void) {
  char *zeros = calloc(SIZE, 4);
  assert(zeros[4 * SIZE - 1] == 0);
  free(zeros);
  pthread_t thread;
  pthread_create(&thread, 0, work, global);
  work(global + SIZE / 2);
  pthread_join(thread, 0);
  assert(global[0] + global[SIZE - 1] == 3 && global[SIZE / 2 - 1] == global[0]);
  return 0;
}
