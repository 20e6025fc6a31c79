//! rc20: verified executions=6
//! rc20: verified executions=6 flags="-- -DPLAIN_C"
//! rc20: error=wrong-annotation line=@error text="marked as local" flags="-- -DLOCAL"
//! rc20: error=wrong-annotation line=@error text="marked as local" flags="-- -DPLAIN_C -DLOCAL"
// GenMC's names of the annotations, in the push of a stack: three threads, in any order. The link of a node that is on the stack
// is final. It is not local, as whoever takes the node from the stack reads it (LOCAL).
#ifdef PLAIN_C
extern void __VERIFIER_annotate_begin(int);
extern void __VERIFIER_annotate_end(int);
#define MARKED(mark, s)            \
  do {                             \
    __VERIFIER_annotate_begin(mark); \
    s;                             \
    __VERIFIER_annotate_end(mark); \
  } while (0)
#define __VERIFIER_local_write(s) MARKED(1, s)
#define __VERIFIER_final_write(s) MARKED(2, s)
#define __VERIFIER_confirming_CAS(c) c
#else
#include <genmc.h>
#endif
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  _Atomic(struct node *) next;
};

static _Atomic(struct node *) top;

#ifdef LOCAL
#define MARK(s) __VERIFIER_local_write(__VERIFIER_final_write(s))
#else
#define MARK(s) __VERIFIER_final_write(s)
#endif

static void *push(void *unused) {
  struct node *node = malloc(sizeof *node);
  for (;;) {
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    MARK(atomic_store_explicit(&node->next, old, memory_order_relaxed););
    if (__VERIFIER_confirming_CAS(
            atomic_compare_exchange_strong_explicit(&top, &old, node, memory_order_release, memory_order_relaxed)))
      break;
  }
  return unused;
}

int main(void) {
#ifdef PLAIN_C
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, push, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
#else
  __VERIFIER_thread_t threads[3];
  for (int i = 0; i < 3; i++) threads[i] = i == 0 ? __VERIFIER_spawn(push, 0) : __VERIFIER_spawn_symmetric(push, 0, threads[i - 1]);
  for (int i = 0; i < 3; i++) __VERIFIER_join(threads[i]);
  __VERIFIER_optional(assert(atomic_load(&top)););
#endif
  int count = 0;
  for (struct node *node = atomic_load(&top); node; node = atomic_load(&node->next)) count++;  // @error
  assert(count == 3);
  return 0;
}
