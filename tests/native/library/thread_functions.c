//! rc20: verified executions=1
// Results, pthread_exit, identities, attributes.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

pthread_t child;

void deep(int n) {
  if (n == 0) pthread_exit((void*)17);
  deep(n - 1);
}

void* exits(void* unused) {
  deep(5);
  return unused;
}

void* returns(void* argument) {
  assert(pthread_self() != 0 && !pthread_equal(pthread_self(), *(pthread_t*)argument));
  assert(pthread_join(pthread_self(), 0) == EDEADLK);
  return (void*)((intptr_t)pthread_self() * 0 + 18);
}

int main(void) {
  pthread_t self = pthread_self(), a, b, c;
  assert(pthread_equal(self, pthread_self()));
  void* result;
  pthread_create(&a, 0, exits, 0);
  assert(pthread_join(a, &result) == 0 && result == (void*)17);
  pthread_create(&b, 0, returns, &self);
  assert(pthread_join(b, &result) == 0 && result == (void*)18);
  pthread_attr_t attributes;
  int state;
  pthread_attr_init(&attributes);
  pthread_attr_getdetachstate(&attributes, &state);
  assert(state == PTHREAD_CREATE_JOINABLE);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_create(&c, &attributes, exits, 0);
  pthread_attr_destroy(&attributes);
  pthread_join(c, 0);
}
