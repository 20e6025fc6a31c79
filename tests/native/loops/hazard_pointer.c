//! rc20: verified executions=12 flags="--no-spurious"
//! rc20: verified executions=64
//! rc20: verified executions=184 flags="-- -DREADER"
//! sc: verified executions=64
//! rc20: error=assertion-failure line=@ignored flags="-- -DIGNORED"
//! rc20: error=assertion-failure line=@cleared flags="--unroll 3 -- -DCLEARED"
//! rc20: error=assertion-failure line=@twice flags="--unroll 3 -- -DTWICE"
// A hazard pointer is published in each round of a loop around a weak compare-exchange. A round that fails for no reason, and
// publishes what was published before, changes nothing: there is one such failure in a row, and the next would be the same. A
// reader may look at the hazard pointers. An exchange that is not repeated (IGNORED), another thread that writes the pointer
// (CLEARED), and two different values in a round (TWICE) are explored as they are.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  struct node *next;
};

static struct node nodes[2] = {{&nodes[1]}, {0}};
static _Atomic(struct node *) top = nodes;
static _Atomic(struct node *) hazard[2];
static atomic_int done;

static void *pop(void *argument) {
  _Atomic(struct node *) *own = argument;
#ifdef IGNORED
  struct node *node = atomic_load(&top);
  atomic_store(own, node);
  (void)atomic_compare_exchange_weak(&top, &node, node ? node->next : 0);
#else
  for (;;) {
#ifdef TWICE
    atomic_store(own, &nodes[1]);
#endif
    struct node *node = atomic_load(&top);
    atomic_store(own, node);
    if (!node) break;
    if (atomic_load(&top) != node) continue;
    if (atomic_compare_exchange_weak(&top, &node, node->next)) break;
  }
#endif
  atomic_fetch_add(&done, 1);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, pop, &hazard[i]);
#ifdef READER
  struct node *seen = atomic_load(&hazard[0]);
  assert(!seen || seen == &nodes[0] || seen == &nodes[1]);
#endif
#ifdef CLEARED
  struct node *seen = atomic_load(&hazard[0]);
  atomic_store(&hazard[0], 0);
  struct node *again = atomic_load(&hazard[0]);
  assert(!(seen == &nodes[0] && again == &nodes[0]));  // @cleared
#endif
#ifdef TWICE
  struct node *one = atomic_load(&hazard[0]), *two = atomic_load(&hazard[0]), *three = atomic_load(&hazard[0]);
  assert(!(one == &nodes[1] && two == &nodes[0] && three == &nodes[1] && !atomic_load(&done)));  // @twice
#endif
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
#ifdef IGNORED
  assert(!atomic_load(&top));  // @ignored
#endif
  return 0;
}
