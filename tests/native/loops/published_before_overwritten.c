//! rc20, sc: error=assertion-failure line=@read
// Every round overwrites the node's field, but a round may show the node to the other thread first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
};

static _Atomic(struct node *) shown;
static atomic_int x, go, answer;

static void *look(void *unused) {
  atomic_store(&x, 7);
  atomic_store(&go, 1);
  struct node *node = atomic_load_explicit(&shown, memory_order_acquire);
  if (node) {
    assert(node->value != 7);  // @read
    atomic_store_explicit(&answer, 1, memory_order_release);
  } else {
    atomic_store_explicit(&answer, 2, memory_order_release);
  }
  return unused;
}

int main(void) {
  struct node *node = malloc(sizeof *node);
  node->value = 0;
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  for (;;) {
    int last = atomic_load(&go);
    if (last) {
      atomic_store_explicit(&shown, node, memory_order_release);
      while (atomic_load_explicit(&answer, memory_order_acquire) == 0) {
      }
    }
    node->value = atomic_load(&x);
    if (last) break;
  }
  pthread_join(thread, 0);
  free(node);
  return 0;
}
