// treiber-stack(N): two threads pop from R. K. Treiber's stack (1986), N - 2 push and then pop (M. Kokologiannakis'
// thesis, table 10.11, which does not print the client; this one has its counts, 8 and 236, where a failed round of
// push, which writes only to a node that nobody else knows yet, is not explored). -DBOTH, -DPUSHERS and -DPOPPERS
// make other clients.
#include <stdatomic.h>
#include <stdlib.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif
#ifndef PUSHERS
#define PUSHERS 0
#endif
#ifndef POPPERS
#define POPPERS 2
#endif
#ifndef BOTH
#define BOTH (N - 2)
#endif

struct node {
  int value;
  struct node *next;
};

static _Atomic(struct node *) top;

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  for (;;) {
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    node->next = old;
    if (atomic_compare_exchange_strong_explicit(&top, &old, node, memory_order_release, memory_order_relaxed)) return;
  }
}

static int pop(void) {
  for (;;) {
    struct node *node = atomic_load_explicit(&top, memory_order_acquire);
    if (node == NULL) return 0;
    if (atomic_compare_exchange_strong_explicit(&top, &node, node->next, memory_order_release, memory_order_relaxed)) {
      return node->value;
    }
  }
}

static void *pusher(void *argument) {
  push((int)(intptr_t)argument);
  return 0;
}

static void *popper(void *unused) {
  pop();
  return unused;
}

static void *both(void *argument) {
  push((int)(intptr_t)argument);
  pop();
  return 0;
}

int main(void) {
  for (int i = 0; i < PUSHERS; i++) start(pusher, i + 1);
  for (int i = 0; i < POPPERS; i++) start(popper, 0);
  for (int i = 0; i < BOTH; i++) start(both, i + 10);
  return 0;
}
