//! rc20: error=data-race line=@error
//! rc20: error=uninitialised-read line=@error-2 flags="--races=off"
//! sc,tso: verified executions=2 blocked=0 flags="--races=off"
//! rc20,sc,tso: verified executions=2 blocked=0 flags="--races=off -- -DORDER=memory_order_seq_cst"
//! rc20: error=uninitialised-read line=@error-2 flags="--races=off -- -DORDER=memory_order_relaxed"
//! sc,tso: verified executions=2 blocked=0 flags="--races=off -- -DORDER=memory_order_relaxed"
// A node is handed over by a pointer. That the allocation does not happen before the reader's accesses is no error of its
// own with --races=off; that the node is not initialised yet, for the reader, is one where the model allows it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct Node {
  int value;
  long rest;
};

#ifdef ORDER
static _Atomic(struct Node *) shared;
#define STORE(node) atomic_store_explicit(&shared, node, ORDER)
#define LOAD() atomic_load_explicit(&shared, ORDER)
#else
static struct Node *shared;
#define STORE(node) (shared = (node))
#define LOAD() (shared)
#endif

static void *writer(void *unused) {
  struct Node *node = malloc(sizeof *node);
  node->value = 1;
  node->rest = 2;
  STORE(node);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  struct Node *node = LOAD();  // @error
  if (node) assert(node->value == 1 && node->rest == 2);  // @error-2
  pthread_join(thread, 0);
  free(LOAD());
}
