//! rc20: verified executions=1 flags="--races off"
//! rc20: error=non-termination line=@wait flags="--races off -- -DNEVER"
// With races allowed, a local variable that another thread knows of is waited for like any other.
#include <pthread.h>

static void* set(void* flag) {
#ifndef NEVER
  *(int*)flag = 1;
#else
  (void)flag;
#endif
  return 0;
}

int main(void) {
  int flag = 0;
  pthread_t thread;
  pthread_create(&thread, 0, set, &flag);
  while (!flag) {  // @wait
  }
  pthread_join(thread, 0);
}
