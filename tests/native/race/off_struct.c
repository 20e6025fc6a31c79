//! rc20,sc: error=assertion-failure line=@torn flags="--races=off"
//! rc20,sc: verified executions=4 blocked=0 flags="--races=off -- -DTORN"
//! rc20,sc: verified executions=4 blocked=0 flags="--races=off -j 2 -- -DTORN"
// A struct is assigned while another thread reads it as a whole: field by field, each as one event.
#include <assert.h>
#include <pthread.h>

static struct Pair {
  int a;
  long b;
} shared;

static void *writer(void *unused) {
  const struct Pair new = {1, 2};
  shared = new;
  return unused;
}

static long total(struct Pair pair) { return pair.a + pair.b; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  struct Pair copy = shared;
  assert((copy.a == 0 || copy.a == 1) && (copy.b == 0 || copy.b == 2));
#ifndef TORN
  assert(copy.a * 2 == copy.b);  // @torn
#endif
  pthread_join(thread, 0);
  assert(total(shared) == 3);
}
