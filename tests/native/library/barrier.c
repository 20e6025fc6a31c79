//! rc20: verified executions=4 blocked=0
//! sc: verified executions=4 blocked=0
//! rc20: error=data-race line=@write|@read flags="-- -DBUG"
// Two threads meet twice, each time in one of two orders. BUG: one of them does not wait before it reads.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int x, y;

void* other(void* unused) {
  x = 1;  // @write
  int serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  if (serial) y += 1;
  pthread_barrier_wait(&barrier);
  assert(y == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, other, 0);
#ifdef BUG
  assert(x == 0);  // @read
#endif
  int serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  assert(x == 1);
  if (serial) y += 1;
  pthread_barrier_wait(&barrier);
  assert(y == 1);
  pthread_join(thread, 0);
  pthread_barrier_destroy(&barrier);
}
