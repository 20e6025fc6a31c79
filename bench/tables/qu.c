// QU/100-100-010: a queue after M. M. Michael and M. L. Scott (1996), whose operations try once and give up, with a
// client after C. Pulte et al., "Promising-ARM/RISC-V" (2019; M. Kokologiannakis' thesis, table 10.5). The digits are
// what each thread does: so many enqueues, then dequeues, then enqueues. The first thread makes the queue; one that
// finds none does nothing. -DOPT: nothing is acquired but the queue itself, and the tail is not released, which is why
// the values are atomics.
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "../native/threads.h"

#ifdef OPT
#define ACQUIRE memory_order_relaxed
#define RELEASE_TAIL memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#define RELEASE_TAIL memory_order_release
#endif

struct node {
  atomic_int value;
  _Atomic(struct node *) next;
};

struct work {
  int enqueues, dequeues, enqueues_after;
};

static const struct work work[] = {{1, 0, 0}, {1, 0, 0}, {0, 1, 0}};
#define THREADS (sizeof work / sizeof *work)
static struct node dummy, nodes[THREADS][1];
static _Atomic(struct node *) head, tail;
static atomic_bool made;

static void make(void) {
  atomic_store_explicit(&dummy.next, NULL, memory_order_release);
  atomic_store_explicit(&head, &dummy, memory_order_release);
  atomic_store_explicit(&tail, &dummy, memory_order_release);
  atomic_store_explicit(&made, true, memory_order_release);
}

// Moves the tail on until nothing comes after it.
static struct node *last_node(void) {
  for (;;) {
    struct node *last = atomic_load_explicit(&tail, ACQUIRE);
    struct node *next = atomic_load_explicit(&last->next, memory_order_relaxed);
    if (next == NULL) return last;
    atomic_store_explicit(&tail, next, RELEASE_TAIL);
  }
}

static void enqueue(struct node *node, int value) {
  atomic_store_explicit(&node->value, value, memory_order_relaxed);
  atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
  struct node *last = last_node(), *none = NULL;
  if (atomic_compare_exchange_strong_explicit(&last->next, &none, node, memory_order_release, memory_order_relaxed)) {
    atomic_store_explicit(&tail, node, RELEASE_TAIL);
  }
}

static void dequeue(void) {
  struct node *first = atomic_load_explicit(&head, ACQUIRE);
  struct node *node = atomic_load_explicit(&first->next, ACQUIRE);
  if (node == NULL) return;
  if (atomic_compare_exchange_strong_explicit(&head, &first, node, memory_order_relaxed, memory_order_relaxed)) {
    atomic_load_explicit(&node->value, memory_order_relaxed);
  }
}

static void *thread(void *argument) {
  intptr_t self = (intptr_t)argument;
  if (self == 0) {
    make();
  } else if (!atomic_load_explicit(&made, memory_order_acquire)) {
    return 0;
  }
  struct node *node = nodes[self];
  for (int i = 0; i < work[self].enqueues; i++) enqueue(node++, i + 1);
  for (int i = 0; i < work[self].dequeues; i++) dequeue();
  for (int i = 0; i < work[self].enqueues_after; i++) enqueue(node++, i + 10);
  return 0;
}

int main(void) {
  for (size_t i = 0; i < THREADS; i++) start(thread, (intptr_t)i);
  return 0;
}
