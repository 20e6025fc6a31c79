// STC/210-011-000: a stack after R. K. Treiber (1986), whose operations try once and give up, with a client after C.
// Pulte et al., "Promising-ARM/RISC-V" (2019; M. Kokologiannakis' thesis, table 10.5). The digits are what each thread
// does: so many pushes, then pops, then pushes. -DOPT: popping acquires and releases nothing, which is why the values
// are atomics.
#include <stdatomic.h>
#include <stddef.h>

#include "../native/threads.h"

#ifdef OPT
#define POP_LOAD memory_order_relaxed
#define POP_EXCHANGE memory_order_relaxed
#else
#define POP_LOAD memory_order_acquire
#define POP_EXCHANGE memory_order_release
#endif

struct node {
  atomic_int value;
  _Atomic(struct node *) next;
};

struct work {
  int pushes, pops, pushes_after;
};

static const struct work work[] = {{2, 1, 0}, {0, 1, 1}, {0, 0, 0}};
#define THREADS (sizeof work / sizeof *work)
static struct node nodes[THREADS][2];
static _Atomic(struct node *) top;

static void push(struct node *node, int value) {
  atomic_store_explicit(&node->value, value, memory_order_relaxed);
  struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
  atomic_store_explicit(&node->next, old, memory_order_relaxed);
  atomic_compare_exchange_strong_explicit(&top, &old, node, memory_order_release, memory_order_relaxed);
}

static void pop(void) {
  struct node *node = atomic_load_explicit(&top, POP_LOAD);
  if (node == NULL) return;
  atomic_load_explicit(&node->value, memory_order_relaxed);
  struct node *next = atomic_load_explicit(&node->next, memory_order_relaxed);
  atomic_compare_exchange_strong_explicit(&top, &node, next, POP_EXCHANGE, memory_order_relaxed);
}

static void *thread(void *argument) {
  intptr_t self = (intptr_t)argument;
  struct node *node = nodes[self];
  for (int i = 0; i < work[self].pushes; i++) push(node++, i + 1);
  for (int i = 0; i < work[self].pops; i++) pop();
  for (int i = 0; i < work[self].pushes_after; i++) push(node++, i + 10);
  return 0;
}

int main(void) {
  for (size_t i = 0; i < THREADS; i++) start(thread, (intptr_t)i);
  return 0;
}
