//! rc20: error=data-race line=@write|@read
// The flag is read with acquire, but nobody looks at its value: in the execution where it is 0 the accesses race.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *unused) {
  data = 1;  // @write
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int seen = atomic_load_explicit(&flag, memory_order_acquire);
  seen += data;  // @read
  pthread_join(thread, 0);
  return seen > 2;
}
