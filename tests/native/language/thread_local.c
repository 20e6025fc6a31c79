//! rc20: verified executions=1 blocked=0
// Each thread has its own copy, with the initial value, and an address of its own.
#include <assert.h>
#include <pthread.h>

static _Thread_local int number = 7;
static __thread long zero;
static int *addresses[3];

static void *work(void *argument) {
  int self = *(int *)argument;
  assert(number == 7 && zero == 0);
  number += self;
  zero -= self;
  addresses[self] = &number;
  assert(number == 7 + self && zero == -self);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int ids[3] = {0, 1, 2};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, &ids[i + 1]);
  work(&ids[0]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(number == 7);
  assert(addresses[0] != addresses[1] && addresses[1] != addresses[2] && addresses[0] != addresses[2]);
  return 0;
}
