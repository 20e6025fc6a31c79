//! rc20: verified executions=15 blocked=0
//! sc: verified executions=15 blocked=0
// An atomic index into an array of atomics: sigma(3) of the literature, 1 * 3 * 5 executions.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int position;
static atomic_int array[4];

static void *mark(void *unused) {
  array[position] = 1;
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    position = position + 1;
    pthread_create(&threads[i], 0, mark, 0);
  }
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
