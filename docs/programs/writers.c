// Six threads that store to one location: too many orders for docs/howto/slow.md.
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 6 };

static atomic_int shared;

static void* writer(void* number) {
  for (int i = 0; i < 4; ++i) atomic_store_explicit(&shared, (int)(long)number, memory_order_relaxed);
  return 0;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, writer, (void*)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
}
