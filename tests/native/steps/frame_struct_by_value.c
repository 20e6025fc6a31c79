//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
//! rc20: verified executions=2 blocked=0 flags="--races=off"
// A local variable that another thread writes is handed to a function as a whole: that reads it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct Pair {
  int a, b;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct Pair *shared;
static int got, was;

__attribute__((noinline)) static void use(struct Pair pair) { got = pair.a + pair.b; }

static void *writer(void *unused) {
  pthread_mutex_lock(&m);
  shared->a = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  struct Pair pair = {0, 0};
  shared = &pair;
  pthread_create(&t, 0, writer, 0);
  pthread_mutex_lock(&m);
  use(pair);
  atomic_thread_fence(memory_order_seq_cst);  // another step
  was = pair.a;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(got == was);
}
