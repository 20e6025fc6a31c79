// A lock that is taken by trying, for docs/loops.md. -DLOOK: main looks at the counter while the threads run.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;

static void take(void) {
  for (;;) {
    if (atomic_fetch_add_explicit(&lock, 1, memory_order_acquire) == 0) break;
    atomic_fetch_sub_explicit(&lock, 1, memory_order_relaxed);
    while (atomic_load_explicit(&lock, memory_order_relaxed) != 0) {
    }
  }
}

static int counter;

static void* thread(void* unused) {
  take();
  ++counter;
  atomic_fetch_sub_explicit(&lock, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, thread, 0);
#ifdef LOOK
  const int seen = atomic_load_explicit(&lock, memory_order_relaxed);
  assert(seen >= 0);
#endif
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(counter == 3);
}
