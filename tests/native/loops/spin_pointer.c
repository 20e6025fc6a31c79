//! rc20: verified executions=1 blocked=0
// A thread walks a list that another one is still building, and waits at its end for the next node.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  int value;
  _Atomic(struct node *) next;
};

static struct node nodes[3] = {{1, NULL}, {2, NULL}, {3, NULL}};

static void *build(void *unused) {
  for (int i = 0; i < 2; i++) atomic_store_explicit(&nodes[i].next, &nodes[i + 1], memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, build, NULL);
  int sum = 0;
  for (struct node *node = &nodes[0];;) {
    sum += node->value;
    if (node->value == 3) break;
    struct node *next;
    while ((next = atomic_load_explicit(&node->next, memory_order_acquire)) == NULL) {
    }
    node = next;
  }
  assert(sum == 6);
  pthread_join(thread, NULL);
  return 0;
}
