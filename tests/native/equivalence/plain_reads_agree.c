//! sc,tso: verified executions=3 blocked=0 flags="--equivalence rf"
//! sc,tso: verified executions=3 blocked=0 flags="--equivalence rf -- -DCOPY"
//! rc20,pso: error=assertion-failure line=@error flags="--equivalence rf"
//! rc20,pso: error=assertion-failure line=@error flags="--equivalence rf -- -DCOPY"
//! rc20: error=assertion-failure line=@error flags="-- -DCOPY"
//! rc20: verified executions=4 flags="--equivalence rf -- -DNONE"
//! rc20: verified executions=4 flags="--equivalence rf -- -DNONE -DCOPY"
// Two plain reads, or the two parts of a copy, see last writes of one order: under sc it cannot be that the first write of both
// threads is the last of its location.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct {
  atomic_int x, y;
} shared;

static void *upwards(void *unused) {
  atomic_store_explicit(&shared.x, 1, memory_order_relaxed);
  atomic_store_explicit(&shared.y, 2, memory_order_relaxed);
  return unused;
}

static void *downwards(void *unused) {
  atomic_store_explicit(&shared.y, 1, memory_order_relaxed);
  atomic_store_explicit(&shared.x, 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, upwards, 0);
  pthread_create(&b, 0, downwards, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#ifdef COPY
  int copy[2];
  memcpy(copy, &shared, sizeof copy);
  const int x = copy[0], y = copy[1];
#else
  const int x = *(int *)&shared.x, y = *(int *)&shared.y;
#endif
#ifdef NONE
  assert(x != 0 && y != 0);
#else
  assert(!(x == 1 && y == 1));  // @error
#endif
}
