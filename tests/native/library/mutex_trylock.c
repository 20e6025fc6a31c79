//! rc20: verified executions=4 blocked=0
//! sc: verified executions=4 blocked=0
// Either thread comes first; the other then finds the mutex held, or free again: 2 * 2.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

void* attempt(void* unused) {
  int result = pthread_mutex_trylock(&mutex);
  assert(result == 0 || result == EBUSY);
  if (result == 0) {
    x = x + 1;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, attempt, 0);
  pthread_create(&b, 0, attempt, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 1 || x == 2);
}
