#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static void *add(void *number) {
  atomic_fetch_add(&count, 1);
  return number;
}

int main(void) {
  pthread_t threads[6];
  for (long i = 0; i < 6; i++) pthread_create(&threads[i], 0, add, (void *)i);
  for (int i = 0; i < 6; i++) pthread_join(threads[i], 0);
  assert(count == 6);
  return 0;
}
