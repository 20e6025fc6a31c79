// A client of the Michael-Scott queue: N threads enqueue one element each, one thread dequeues twice. Nodes are not
// freed. 137,520 executions (and 252,104 blocked ones) for N=4.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

#ifndef N
#define N 4
#endif

struct node {
  int value;
  _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static struct node *new_node(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  atomic_init(&node->next, NULL);
  return node;
}

static void enqueue(int value) {
  struct node *node = new_node(value);
  for (;;) {
    struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
    if (next != NULL) {
      atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
    } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, node, memory_order_release,
                                                       memory_order_relaxed)) {
      atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release, memory_order_relaxed);
      return;
    }
  }
}

static int dequeue(void) {
  for (;;) {
    struct node *first = atomic_load_explicit(&head, memory_order_acquire);
    struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (next == NULL) return 0;
    if (first == last) {
      atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
    } else if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release,
                                                       memory_order_relaxed)) {
      return next->value;
    }
  }
}

static void *producer(void *argument) {
  enqueue((int)(intptr_t)argument);
  return 0;
}

static void *consumer(void *unused) {
  int first = dequeue();
  int second = dequeue();
  assert(first == 0 || first != second);
  return unused;
}

int main(void) {
  struct node *dummy = new_node(0);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
  pthread_t threads[N + 1];
  for (int i = 0; i < N; i++) threads[i] = start(producer, i + 1);
  threads[N] = start(consumer, 0);
  for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
  return 0;
}
