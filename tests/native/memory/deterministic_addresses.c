//! rc20: verified executions=2 blocked=0
// Each thread allocates, and addresses differ; both orders of the additions are explored with the same addresses.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int counter;
static int *blocks[2];

static void *work(void *argument) {
  int **mine = argument;
  *mine = malloc(sizeof **mine);
  **mine = atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &blocks[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(blocks[0] != blocks[1] && *blocks[0] + *blocks[1] == 1);
  for (int i = 0; i < 2; i++) free(blocks[i]);
  return 0;
}
