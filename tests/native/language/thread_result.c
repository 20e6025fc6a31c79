//! rc20: verified executions=1 blocked=0
// What a thread returns, or gives to pthread_exit in the middle of a call, is what join gives back.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void leave(int depth) {
  if (depth == 0) pthread_exit((void *)(intptr_t)42);
  leave(depth - 1);
}

static void *by_exit(void *unused) {
  leave(3);
  return unused;
}

static void *by_return(void *argument) {
  return (void *)((intptr_t)argument * 2);
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, by_exit, 0);
  pthread_create(&second, 0, by_return, (void *)(intptr_t)5);
  void *result;
  pthread_join(first, &result);
  assert((intptr_t)result == 42);
  pthread_join(second, &result);
  assert((intptr_t)result == 10);
  assert(pthread_equal(pthread_self(), pthread_self()) && !pthread_equal(first, second));
  return 0;
}
