//! rc20: error=data-race line=@error
//! sc: error=data-race line=@error
//! rc20: error=assertion-failure line=@torn flags="--races=off"
//! sc: error=assertion-failure line=@torn flags="--races=off"
// A struct with atomics is copied while another thread writes them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct Pair {
  atomic_int a, b;
} shared;

static void *writer(void *unused) {
  atomic_store(&shared.a, 1);  // @error
  atomic_store(&shared.b, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  atomic_store(&shared.a, 0);
  pthread_create(&thread, 0, writer, 0);
  struct Pair copy = shared;
  pthread_join(thread, 0);
  assert(atomic_load(&copy.a) == atomic_load(&copy.b));  // @torn
}
