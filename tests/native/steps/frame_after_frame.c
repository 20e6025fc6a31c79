//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
// The life of a local variable is taken up again (the load reads something else) after the variable of another function,
// which came and went within one step, has been at its place: it must have its old value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int x;
static int *volatile escaped;

__attribute__((noinline)) static int five(void) {
  int v = 5;
  escaped = &v;
  atomic_load(&x);
  return v;
}

__attribute__((noinline)) static int nine(void) {
  int w = 9;
  escaped = &w;
  return *escaped;
}

static void *reader(void *unused) {
  assert(five() == 5);
  assert(nine() == 9);
  return unused;
}

static void *writer(void *unused) {
  atomic_store(&x, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
