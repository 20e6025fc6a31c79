//! rc20, sc, tso, ra: error=data-race|use-after-free
//! rc20: verified executions=1 blocked=1 flags="-- -DKEEP"
// A loop follows a pointer and goes round until it finds the new node. A round with the old node changes nothing, but it
// reads what the other thread frees.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
};

static _Atomic(struct node *) head;
static atomic_int other;

static void *replace(void *unused) {
  struct node *old = atomic_load(&head);
  struct node *new = malloc(sizeof *new);
  new->value = 2;
  atomic_store_explicit(&head, new, memory_order_release);
  atomic_load(&other);
#ifndef KEEP
  free(old);
#endif
  return unused;
}

int main(void) {
  struct node *first = malloc(sizeof *first);
  first->value = 1;
  atomic_init(&head, first);
  pthread_t thread;
  pthread_create(&thread, 0, replace, 0);
  while (atomic_load_explicit(&head, memory_order_acquire)->value != 2) {
  }
  pthread_join(thread, 0);
  return 0;
}
