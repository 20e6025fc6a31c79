//! rc20: verified executions=6 flags="-- -DSHAPE=1"
//! rc20: verified executions=6 flags="-- -DSHAPE=2"
//! rc20: verified executions=6 flags="-- -DSHAPE=3"
//! rc20: verified executions=6 flags="-- -DSHAPE=4"
//! sc: verified executions=6 flags="-- -DSHAPE=3"
//! rc20: verified executions=6 flags="--races off -- -DSHAPE=1"
//! rc20: verified executions=6 flags="--races off -- -DSHAPE=3"
//! rc20: error=assertion-failure line=@tries flags="--races off -- -DSHAPE=5"
//! rc20: error=assertion-failure line=@left flags="--races off -- -DSHAPE=6"
//! rc20: error=assertion-failure line=@tries flags="-- -DSHAPE=5"
//! rc20: error=assertion-failure line=@left flags="-- -DSHAPE=6"
//! rc20: verified executions=24 blocked=94 flags="-- -DSHAPE=3 -DCONCURRENT"
//! rc20: error=data-race line=@error flags="-- -DSHAPE=1 -DCONCURRENT -DORDER=memory_order_relaxed"
// Pushing onto a stack, in the ways people write it. Each attempt writes the link of a node that nobody else knows; an
// attempt that fails leaves nothing behind, so that three threads give 3! executions. 5: the node counts the attempts.
// 6: an attempt can be given up, and then its link is still there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ORDER
#define ORDER memory_order_release
#endif

struct node {
  struct node *next;
  int tries;
};

static _Atomic(struct node *) top;
static atomic_int enough;

#define TOP() atomic_load_explicit(&top, memory_order_relaxed)
#define EXCHANGE(weak, old, node) \
  atomic_compare_exchange_##weak##_explicit(&top, old, node, ORDER, memory_order_relaxed)

static void *push(void *unused) {
  struct node *node = malloc(sizeof *node);
#if SHAPE == 1
  do {
    node->next = TOP();
  } while (!EXCHANGE(strong, &node->next, node));
#elif SHAPE == 2
  struct node *old = TOP();
  do {
    node->next = old;
  } while (!EXCHANGE(weak, &old, node));
#elif SHAPE == 3
  node->next = TOP();
  while (!EXCHANGE(weak, &node->next, node)) {
  }
#elif SHAPE == 4
  for (;;) {
    struct node *old = TOP();
    node->next = old;
    if (EXCHANGE(strong, &old, node)) break;
  }
#elif SHAPE == 5
  node->tries = 0;
  do {
    node->tries++;
    node->next = TOP();
    assert(node->tries < 3);  // @tries
  } while (!EXCHANGE(strong, &node->next, node));
#else
  node->next = node;
  for (;;) {
    if (atomic_load_explicit(&enough, memory_order_relaxed)) {
      assert(node->next == node);  // @left
      free(node);
      break;
    }
    struct node *old = TOP();
    node->next = old;
    if (EXCHANGE(strong, &old, node)) break;
  }
  atomic_store_explicit(&enough, 1, memory_order_relaxed);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, push, 0);
#ifdef CONCURRENT
  for (struct node *node = atomic_load_explicit(&top, memory_order_acquire); node; node = node->next) {  // @error
  }
#endif
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  int count = 0;
  for (struct node *node = TOP(); node; node = node->next) count++;
  assert(SHAPE == 6 || count == 3);
  return 0;
}
