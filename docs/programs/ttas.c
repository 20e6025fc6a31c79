// A test-and-test-and-set lock, for docs/loops.md.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;

static void lock(void) {
  while (atomic_exchange_explicit(&taken, 1, memory_order_acquire)) {
    while (atomic_load_explicit(&taken, memory_order_relaxed)) {
    }
  }
}

static int counter;

static void* thread(void* unused) {
  lock();
  ++counter;
  atomic_store_explicit(&taken, 0, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, thread, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(counter == 3);
}
