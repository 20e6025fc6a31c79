//! rc20: verified executions=1
//! rc20: error=assertion-failure line=@assert flags="-- -DBUG"
// main may leave by pthread_exit: the other threads go on.
#include <assert.h>
#include <pthread.h>

pthread_t mainThread;
int x;

void* other(void* unused) {
  pthread_join(mainThread, 0);
  assert(x == 1);
#ifdef BUG
  assert(x == 2);  // @assert
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  mainThread = pthread_self();
  pthread_create(&thread, 0, other, 0);
  pthread_detach(thread);
  x = 1;
  pthread_exit(0);
}
