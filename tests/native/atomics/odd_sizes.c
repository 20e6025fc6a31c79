//! rc20: verified executions=2 blocked=0
//! rc20: error=data-race line=@plain|@store flags="-- -DPLAIN"
// The same in C, with an atomic structure of three pointers; PLAIN looks at one of them without the lock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct Node {
  const void *left, *right, *parent;
};

static _Atomic(struct Node) node;
static int a, b;

static void *writer(void *unused) {
  struct Node next = {&a, &b, &a};
  atomic_store(&node, next);  // @store
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
#ifdef PLAIN
  const void *left = ((struct Node *)&node)->left;  // @plain
  assert(left == NULL || left == &a);
#else
  struct Node seen = atomic_load(&node);
  assert((seen.left == &a) == (seen.right == &b) && (seen.left == &a) == (seen.parent == &a));
#endif
  pthread_join(thread, NULL);
  return 0;
}
