//! rc20: verified executions=6 flags="-- -DSHAPE=1"
//! rc20: verified executions=6 flags="-- -DSHAPE=1 -DWEAK"
//! rc20: verified executions=6 flags="-- -DSHAPE=2"
//! rc20: verified executions=6 flags="-- -DSHAPE=2 -DWEAK"
//! sc: verified executions=6 flags="-- -DSHAPE=1"
//! rc20: error=assertion-failure line=@stale flags="-- -DSHAPE=2 -DREADER -DORDER=memory_order_relaxed"
//! rc20: error=assertion-failure line=@stale flags="-- -DSHAPE=2 -DREADER -DWEAK -DORDER=memory_order_relaxed"
//! rc20: error=assertion-failure line=@seen flags="-- -DSHAPE=4"
// Pushing nodes whose link is atomic: an attempt that fails leaves a link behind that the next one writes anew, and nobody
// knows of the node. Not so if the node is published without release, so that a reader may find the link of an attempt that
// has failed (READER), or if others know the node from the start (4).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ORDER
#define ORDER memory_order_release
#endif
#ifdef WEAK
#define EXCHANGE(old, node) atomic_compare_exchange_weak_explicit(&top, old, node, ORDER, memory_order_relaxed)
#else
#define EXCHANGE(old, node) atomic_compare_exchange_strong_explicit(&top, old, node, ORDER, memory_order_relaxed)
#endif

struct node {
  _Atomic(struct node *) next;
  int number;
};

static struct node nodes[3];
static _Atomic(struct node *) top;

static void *push(void *argument) {
#if SHAPE == 4 || defined(READER)
  struct node *node = argument;
#else
  struct node *node = malloc(sizeof *node);
  (void)argument;
#endif
  node->number = 1;
#if SHAPE == 1 || SHAPE == 4
  for (;;) {
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    atomic_store_explicit(&node->next, old, memory_order_relaxed);
    if (EXCHANGE(&old, node)) break;
  }
#else
  struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
  do {
    atomic_store_explicit(&node->next, old, memory_order_relaxed);
  } while (!EXCHANGE(&old, node));
#endif
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, push, &nodes[i]);
#if SHAPE == 4
  // The link of the first node, which is on top of the second, was once to the third.
  struct node *link = atomic_load_explicit(&nodes[0].next, memory_order_relaxed);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(!(link == &nodes[2] && atomic_load(&nodes[0].next) == &nodes[1]));  // @seen
#elif defined(READER)
  struct node *first = atomic_load_explicit(&top, memory_order_relaxed);
  struct node *link = first ? atomic_load_explicit(&first->next, memory_order_relaxed) : 0;
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(!link || link == atomic_load(&first->next));  // @stale
#else
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
#endif
  int count = 0;
  for (struct node *node = atomic_load(&top); node; node = atomic_load(&node->next)) count++;
  assert(count == 3);
  return 0;
}
