//! rc20: error=data-race line=@overwrite|@read
// The reader is told about the first version of the data; the second one is written with no more ado.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  data = 2;  // @overwrite
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int seen = 0;
  if (atomic_load_explicit(&flag, memory_order_acquire)) seen = data;  // @read
  pthread_join(thread, 0);
  return seen == 9;
}
