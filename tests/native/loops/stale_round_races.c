//! rc20, sc: error=data-race
// A round that goes on waiting has looked at a plain variable that the other thread writes later.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int step, other;
static int plain;

static void *work(void *unused) {
  atomic_store(&step, 1);
  atomic_store(&step, 2);
  atomic_load(&other);
  plain = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  for (;;) {
    int seen = atomic_load(&step);
    if (seen == 1 && plain == 7) break;
    if (seen == 2) break;
  }
  pthread_join(thread, 0);
  return 0;
}
