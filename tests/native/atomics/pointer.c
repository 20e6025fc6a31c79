//! rc20: verified executions=2 blocked=0
//! sc: verified executions=2 blocked=0
// A node on the heap, published through an atomic pointer. The reader finds the pointer or does not (MP+rel-acq
// without the data read of the second case).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static _Atomic(struct node *) head;

static void *publish(void *unused) {
  struct node *node = malloc(sizeof *node);
  node->value = 42;
  node->next = NULL;
  atomic_store_explicit(&head, node, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, publish, NULL);
  struct node *node = atomic_load_explicit(&head, memory_order_acquire);
  if (node != NULL) assert(node->value == 42 && node->next == NULL);
  pthread_join(thread, NULL);
  free(atomic_load(&head));
  return 0;
}
