//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
// memset of an object that begins with an atomic one: the write to the atomic is an event, and what comes behind it is
// written in the step after that event.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static struct {
  _Atomic int a;
  int b;
} s;
static _Atomic int x;

static void *write(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void *set(void *unused) {
  memset(&s, 7, sizeof s);
  atomic_thread_fence(memory_order_seq_cst);
  assert(s.b == 0x07070707);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  atomic_store(&s.a, 1);
  pthread_create(&a, 0, write, 0);
  pthread_create(&b, 0, write, 0);
  pthread_create(&c, 0, set, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
