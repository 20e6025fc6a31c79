//! rc20: error=assertion-failure line=@stale flags="--races=off"
//! sc,tso: verified executions=1 blocked=0 flags="--races=off"
//! rc20,sc: error=non-termination line=@loop flags="--races=off -- -DNEVER"
// A loop waits for a plain variable.
#include <assert.h>
#include <pthread.h>

static int flag, data;

static void *writer(void *unused) {
  data = 5;
#ifndef NEVER
  flag = 1;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  while (!flag) {  // @loop
  }
  assert(data == 5);  // @stale
  pthread_join(thread, 0);
}
