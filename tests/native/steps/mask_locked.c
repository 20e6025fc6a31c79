//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
// `flags &= ~1u` looks like the update of a bit field: it reads the word all the same.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned flags = 1;

static void *add(void *unused) {
  pthread_mutex_lock(&m);
  flags += 4;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *clear(void *unused) {
  pthread_mutex_lock(&m);
  flags &= ~1u;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, clear, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(flags == 4);
}
