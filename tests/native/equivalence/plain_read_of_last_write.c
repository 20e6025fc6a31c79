//! rc20,sc: error=assertion-failure line=@error flags="--equivalence rf -- -DLAST=1"
//! rc20,sc: error=assertion-failure line=@error flags="--equivalence rf -- -DLAST=2"
//! rc20,tso,ra: error=assertion-failure line=@error flags="--equivalence rf -j 2 -- -DLAST=2"
//! rc20: error=assertion-failure line=@error flags="--equivalence rf --races off -- -DLAST=1"
//! rc20: error=assertion-failure line=@error flags="--equivalence rf --races off -- -DLAST=2"
//! rc20: verified executions=2 blocked=0 flags="--equivalence rf -- -DLAST=either"
//! rc20: verified executions=2 blocked=0 flags="-- -DLAST=either"
// Nobody reads what the threads write until main does, plainly, after their end: either write may be the last.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *writeOne(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void *writeTwo(void *unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writeOne, 0);
  pthread_create(&b, 0, writeTwo, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  const int last = *(int *)&x, either = last == 1 ? 1 : 2;
  (void)either;
  assert(last == LAST);  // @error
}
