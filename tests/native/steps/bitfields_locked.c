//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
// An update of a bit field reads the rest of its word: the step is not the same if that is another.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct {
  unsigned a : 1, b : 1;
} s;

static void *setA(void *unused) {
  pthread_mutex_lock(&m);
  s.a = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *setB(void *unused) {
  pthread_mutex_lock(&m);
  s.b = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, setA, 0);
  pthread_create(&b, 0, setB, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(s.a && s.b);
}
