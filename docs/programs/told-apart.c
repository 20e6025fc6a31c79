#include <pthread.h>
#include <stdatomic.h>

static atomic_int first;
static pthread_t winner;

static void *race(void *unused) {
  if (atomic_fetch_add(&first, 1) == 0) winner = pthread_self();
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, race, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return winner == 0;
}
