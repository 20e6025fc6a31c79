//! rc20: error=assertion-failure flags="--suggest"
//! why: - release instead of relaxed for store flag at macro_parts.c:23 and acquire instead of relaxed for load flag at macro_parts.c:27 (axiom coherence of rc20)
//! why: Suggestion: release instead of relaxed for store flag at macro_parts.c:23 and acquire instead of relaxed for load flag at macro_parts.c:27. With these changes the program has no error; it was explored again.
// All that a macro makes has one place in the source. Of its accesses only those that need it are made stronger.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int data, flag, other;
#define R memory_order_relaxed
#define PUBLISH()                                     \
  (void)atomic_load_explicit(&other, R);              \
  atomic_store_explicit(&data, 1, R);                 \
  atomic_store_explicit(&flag, 1, R)
#define CHECK()                                       \
  const int published = atomic_load_explicit(&flag, R); \
  atomic_store_explicit(&other, 1, R);                \
  const int found = atomic_load_explicit(&data, R);   \
  assert(!published || found)

void* writer(void* unused) {
  // One place for a load and two stores.
  PUBLISH();
  return unused;
}
void* reader(void* unused) {
  CHECK();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
