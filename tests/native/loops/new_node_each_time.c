//! rc20: verified executions=6
//! sc: verified executions=6
//! rc20: verified executions=6 flags="-- -DCALLOC"
//! rc20: bounded flags="--unroll 1 -- -DLEAK"
//! rc20: bounded flags="--unroll 1 -- -DSHOW"
//! rc20: error=use-after-free line=@error flags="-- -DEARLY"
// A node that is made anew in each attempt, written, and freed if it was in vain: nobody has seen it, so that the thread may as
// well wait. LEAK: it is not freed. SHOW: somebody might have seen it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};
static _Atomic(struct node *) top, last;

static void *push(void *value) {
  for (;;) {
#ifdef CALLOC
    struct node *node = calloc(1, sizeof *node);
#else
    struct node *node = malloc(sizeof *node);
#endif
    node->value = (int)(long)value;
    struct node *first = atomic_load_explicit(&top, memory_order_relaxed);
    node->next = first;
#ifdef SHOW
    atomic_store_explicit(&last, node, memory_order_relaxed);
#endif
#ifdef EARLY
    free(node);
#endif
    if (atomic_compare_exchange_strong_explicit(&top, &first, node, memory_order_release, memory_order_relaxed)) return 0;
#if !defined(LEAK) && !defined(EARLY)
    free(node);
#endif
  }
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, push, (void *)(i + 1));
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  int sum = 0;
  for (struct node *node = atomic_load(&top), *next; node; node = next) {
    next = node->next;  // @error
    sum += node->value;
    free(node);
  }
  assert(sum == 6);
  return 0;
}
