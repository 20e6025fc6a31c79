//! rc20: verified executions=2 blocked=0
// The _Atomic qualifier on scalars, a small struct and an array; plain syntax means seq_cst operations. The thread adds
// before or after main does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  int a, b;
};

static _Atomic struct pair pair;
static _Atomic long total[2] = {10, 20};
static atomic_short index_of;

static void *add(void *unused) {
  total[1] += 5;
  return unused;
}

int main(void) {
  pair = (struct pair){1, 2};
  struct pair copy = pair;
  assert(copy.a == 1 && copy.b == 2);
  copy.b = 7;
  pair = copy;
  struct pair old = atomic_exchange(&pair, copy);
  assert(old.b == 7);
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  total[1]++;
  pthread_join(thread, 0);
  assert(total[1] == 26 && total[0]-- == 10 && total[0] == 9);
  atomic_init(&index_of, 3);
  assert(--index_of == 2);
  assert(atomic_is_lock_free(&index_of));
  return 0;
}
