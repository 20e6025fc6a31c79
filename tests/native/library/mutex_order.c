//! rc20: verified executions=6 blocked=0
//! sc: verified executions=6 blocked=0
//! tso: verified executions=6 blocked=0
// Three threads take a mutex once: 3! orders, and waiting for it blocks nothing.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

void* increment(void* unused) {
  pthread_mutex_lock(&mutex);
  x = x + 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, increment, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(x == 3);
}
