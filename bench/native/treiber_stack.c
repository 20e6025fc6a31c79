// A client of Treiber's stack: N threads push one element each, one thread pops two. Nodes are not freed. 343,872
// executions for N=4.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "threads.h"

#ifndef N
#define N 4
#endif

struct node {
  int value;
  struct node *next;
};

static _Atomic(struct node *) top;

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
  do {
    node->next = old;
  } while (!atomic_compare_exchange_strong_explicit(&top, &old, node, memory_order_release, memory_order_relaxed));
}

static int pop(void) {
  struct node *node = atomic_load_explicit(&top, memory_order_acquire);
  while (node != NULL && !atomic_compare_exchange_strong_explicit(&top, &node, node->next, memory_order_acquire,
                                                                  memory_order_acquire)) {
  }
  return node == NULL ? 0 : node->value;
}

static void *pusher(void *argument) {
  push((int)(intptr_t)argument);
  return 0;
}

static void *popper(void *unused) {
  int first = pop();
  int second = pop();
  assert(first == 0 || first != second);
  return unused;
}

int main(void) {
  pthread_t threads[N + 1];
  for (int i = 0; i < N; i++) threads[i] = start(pusher, i + 1);
  threads[N] = start(popper, 0);
  for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
  return 0;
}
