//! rc20: error=data-race line=@error
//! sc: error=data-race line=@error
// A compare-exchange that succeeds writes, so it races with a plain read that came before the thread paused at it.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int x, y;
static int sink;

static void *work(void *unused) {
  int expected = 0;
  atomic_store(&y, 1);
  atomic_compare_exchange_strong(&x, &expected, 1);  // @error
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  sink = *(int *)&x;
  pthread_join(t, 0);
}
