//! rc20: verified executions=6 flags="-- -DSHAPE=1"
//! rc20: verified executions=6 flags="-- -DSHAPE=2"
//! rc20: verified executions=6 flags="-- -DSHAPE=1 -DWEAK"
//! rc20: error=assertion-failure line=@depth flags="-- -DSHAPE=3"
// A new node is filled with what the node on top has, which is read through a pointer that was loaded. That pointer does not lead
// to the new node, as nobody has been told where it is, so a failed attempt leaves nothing behind. In 3 the node is known from
// the start, and may be the one that is read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef WEAK
#define EXCHANGE atomic_compare_exchange_weak_explicit
#else
#define EXCHANGE atomic_compare_exchange_strong_explicit
#endif

#if SHAPE == 3
#define NUMBER 1
#else
#define NUMBER 3
#endif

struct node {
  struct node *next;
  int depth;
};

static _Atomic(struct node *) top;
static atomic_int enough;

static void *push(void *unused) {
  struct node *node = malloc(sizeof *node);
#if SHAPE == 3
  node->depth = 0;
  atomic_store_explicit(&top, node, memory_order_release);
  struct node *old;
  do {
    old = atomic_load_explicit(&top, memory_order_acquire);
    node->depth = old->depth + 1;
    assert(node->depth < 3);  // @depth
  } while (!atomic_load_explicit(&enough, memory_order_relaxed));
#elif SHAPE == 1
  struct node *old = atomic_load_explicit(&top, memory_order_acquire);
  do {
    node->next = old;
    node->depth = old ? old->depth + 1 : 1;
  } while (!EXCHANGE(&top, &old, node, memory_order_acq_rel, memory_order_acquire));
#else
  for (;;) {
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    node->depth = old ? old->depth + 1 : 1;
    node->next = old;
    if (EXCHANGE(&top, &old, node, memory_order_acq_rel, memory_order_acquire)) break;
  }
#endif
  return unused;
}

int main(void) {
  pthread_t threads[NUMBER];
  for (int i = 0; i < NUMBER; i++) pthread_create(&threads[i], 0, push, 0);
  atomic_store_explicit(&enough, 1, memory_order_relaxed);
  for (int i = 0; i < NUMBER; i++) pthread_join(threads[i], 0);
  assert(atomic_load(&top)->depth == NUMBER || NUMBER == 1);
  return 0;
}
