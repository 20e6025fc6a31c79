//! rc20: error=dead-frame|data-race line=@use|@exit
//! rc20: verified executions=1 blocked=0 flags="-- -DGOOD"
// The local variables of main end when it leaves by pthread_exit, while other threads go on.
#include <pthread.h>

static pthread_t mainThread;

static void* thread(void* value) {
#ifndef GOOD
  pthread_join(mainThread, 0);
#endif
  return *(int*)value == 3 ? value : 0;  // @use
}

int main(void) {
  int value = 3;
  pthread_t t;
  mainThread = pthread_self();
  pthread_create(&t, 0, thread, &value);
#ifdef GOOD
  pthread_join(t, 0);
#else
  pthread_detach(t);
#endif
  pthread_exit(0);  // @exit
}
