// A loop that changes something in each round, for docs/loops.md.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done, tries;

static void* finish(void* unused) {
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, finish, 0);
  while (!atomic_load_explicit(&done, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&tries, 1, memory_order_relaxed);
  }
  pthread_join(thread, 0);
}
