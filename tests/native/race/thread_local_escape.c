//! rc20: error=data-race line=@other|@own
//! rc20: verified executions=1 flags="-- -DOWN"
// The address of a thread_local goes to another thread. OWN: that one uses its own copy.
#include <pthread.h>

static _Thread_local int mine;

static void *touch(void *theirs) {
#ifdef OWN
  (void)theirs;
  mine = 1;
#else
  *(int *)theirs = 1;  // @other
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, touch, &mine);
  mine = 2;  // @own
  pthread_join(thread, 0);
  return 0;
}
