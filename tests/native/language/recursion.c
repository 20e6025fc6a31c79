//! rc20: verified executions=6 blocked=0
// Recursion with locals whose addresses go down and come up again, and with threads at every level: each level starts a
// thread that adds, and adds itself after joining it. Nothing is concurrent but the two top calls.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static int depth_of(const int *parent, int left) {
  int mine = *parent + 1;
  if (left == 0) return mine;
  int below = depth_of(&mine, left - 1);
  assert(mine == *parent + 1);
  return below;
}

static void *descend(void *argument) {
  int left = *(int *)argument;
  atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
  if (left > 0) {
    int next = left - 1;
    pthread_t thread;
    pthread_create(&thread, 0, descend, &next);
    pthread_join(thread, 0);
  }
  return 0;
}

int main(void) {
  int zero = 0, one = 1;
  assert(depth_of(&zero, 50) == 51);
  pthread_t thread;
  pthread_create(&thread, 0, descend, &one);
  descend(&one);
  pthread_join(thread, 0);
  assert(atomic_load(&counter) == 4);
  return 0;
}
