// ms-queue(N): the queue of M. M. Michael and M. L. Scott (1996); one thread enqueues, one dequeues, N - 2 do both
// (M. Kokologiannakis' thesis, table 10.11, which does not print it; this has its counts, 75 and 10,662). Nodes are
// not freed. -DENQUEUERS, -DDEQUEUERS and -DBOTH make other clients, such as CDSChecker's (B. Norris and B. Demsky,
// 2016): two threads that do both.
#include <stdatomic.h>
#include <stdlib.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif
#ifndef ENQUEUERS
#define ENQUEUERS 1
#endif
#ifndef DEQUEUERS
#define DEQUEUERS 1
#endif
#ifndef BOTH
#define BOTH (N - 2)
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
  struct node *last;
  for (;;) {
    last = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
    if (last != atomic_load_explicit(&tail, memory_order_relaxed)) continue;
    if (next == NULL && atomic_compare_exchange_strong_explicit(&last->next, &next, node, memory_order_release,
                                                                memory_order_relaxed)) {
      break;
    }
    // Somebody was faster: help to move the tail on.
    next = atomic_load_explicit(&last->next, memory_order_acquire);
    atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
  }
  atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release, memory_order_relaxed);
}

static int dequeue(void) {
  for (;;) {
    struct node *first = atomic_load_explicit(&head, memory_order_acquire);
    struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (first != atomic_load_explicit(&head, memory_order_relaxed)) continue;
    if (first == last) {
      if (next == NULL) return 0;
      atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
      continue;
    }
    int value = next->value;
    if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release, memory_order_relaxed)) {
      return value;
    }
  }
}

static void *enqueuer(void *argument) {
  enqueue((int)(intptr_t)argument);
  return 0;
}

static void *dequeuer(void *unused) {
  dequeue();
  return unused;
}

static void *both(void *argument) {
  enqueue((int)(intptr_t)argument);
  dequeue();
  return 0;
}

int main(void) {
  struct node *dummy = new_node(0);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
  for (int i = 0; i < ENQUEUERS; i++) start(enqueuer, i + 1);
  for (int i = 0; i < DEQUEUERS; i++) start(dequeuer, 0);
  for (int i = 0; i < BOTH; i++) start(both, i + 10);
  return 0;
}
