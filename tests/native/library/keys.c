//! rc20: verified executions=1
// Each thread has its own value of a key; a destructor gets it when the thread ends, not when main returns.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

pthread_key_t key, plain;
int destroyed;

void destroy(void* value) {
  destroyed += *(int*)value;
  if (*(int*)value == 7) {
    *(int*)value = 100;
    pthread_setspecific(key, value);  // one more round
    return;
  }
  free(value);
}

void* use(void* unused) {
  assert(pthread_getspecific(key) == 0);
  int* value = malloc(sizeof *value);
  *value = 7;
  assert(pthread_setspecific(key, value) == 0);
  pthread_setspecific(plain, value);
  assert(pthread_getspecific(key) == value);
  return unused;
}

int main(void) {
  int mine = 1000;
  assert(pthread_key_create(&key, destroy) == 0 && pthread_key_create(&plain, 0) == 0 && key != plain);
  pthread_setspecific(key, &mine);
  pthread_t thread;
  pthread_create(&thread, 0, use, 0);
  pthread_join(thread, 0);
  assert(destroyed == 107);
  assert(pthread_getspecific(key) == &mine);
  assert(pthread_key_delete(key) == 0);
  assert(pthread_setspecific(key, &mine) == EINVAL && pthread_key_delete(key) == EINVAL);
}
