//! rc20: error=data-race line=@error
//! sc: error=data-race line=@error
// Handing a local variable to a function as a whole reads it.
#include <pthread.h>
#include <stdatomic.h>

struct Pair {
  int a, b;
};

static struct Pair *shared;
static _Atomic int sum;

__attribute__((noinline)) static void use(struct Pair pair) { atomic_store(&sum, pair.a + pair.b); }

static void *writer(void *unused) {
  shared->a = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  struct Pair pair = {0, 0};
  shared = &pair;
  pthread_create(&t, 0, writer, 0);
  use(pair);  // @error
  pthread_join(t, 0);
}
