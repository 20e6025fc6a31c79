//! rc20: verified executions=2 blocked=0
//! rc20: verified executions=2 blocked=0 flags="--equivalence rf"
//! rc20: verified executions=2 blocked=0 flags="-j 2"
//! rc20: verified executions=2 blocked=0 flags="--races=off"
//! sc: verified executions=2 blocked=0
// Two threads copy a struct with atomics under a mutex, and change it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct Three {
  atomic_int a, b, c;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct Three shared, spare;

static void *work(void *unused) {
  pthread_mutex_lock(&m);
  struct Three mine = shared;
  assert(atomic_load(&mine.a) == atomic_load(&mine.b) && atomic_load(&mine.b) == atomic_load(&mine.c));
  atomic_fetch_add(&mine.a, 1);
  atomic_fetch_add(&mine.b, 1);
  atomic_fetch_add(&mine.c, 1);
  spare = mine;
  shared = spare;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  assert(atomic_load(&shared.a) == 2 && atomic_load(&shared.b) == 2 && atomic_load(&shared.c) == 2);
}
