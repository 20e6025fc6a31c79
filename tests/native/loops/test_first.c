//! rc20: verified executions=3 flags="-- -DSHAPE=1"
//! rc20: verified executions=3 flags="-- -DSHAPE=2"
//! rc20: verified executions=4 flags="-- -DSHAPE=3"
//! rc20: verified executions=3 flags="-- -DSHAPE=4"
//! sc: verified executions=4 flags="-- -DSHAPE=3"
//! rc20: error=assertion-failure line=@last flags="-- -DSHAPE=3 -DWRONG"
//! rc20: error=assertion-failure line=@two flags="-- -DSHAPE=5"
//! rc20: verified executions=3 flags="-- -DSHAPE=6"
// Loops that test first, where a value does nothing but decide whether to go on (1, 2, 4, 6), or is that of the last round and used
// behind the loop (3): what the rounds before have read does not matter. It does if a round uses what the one before has
// read (5).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int result;

static void *writer(void *unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  atomic_store(&y, 1);
  return unused;
}

static int wait(void) {
  int v = 0;
#if SHAPE == 1
  v = atomic_load_explicit(&x, memory_order_relaxed);
  while (v < 2) v = atomic_load_explicit(&x, memory_order_acquire);
#elif SHAPE == 2
  v = atomic_load_explicit(&x, memory_order_relaxed);
  while (v < 2) v = atomic_load_explicit(&x, memory_order_acquire);
  assert(v == 2);
#elif SHAPE == 3
  v = -1;
  while (!atomic_load_explicit(&y, memory_order_relaxed)) v = atomic_load_explicit(&x, memory_order_relaxed);
#ifdef WRONG
  assert(v != 1);  // @last
#endif
#elif SHAPE == 4
  v = atomic_load_explicit(&x, memory_order_relaxed);
  for (;;) {
    if (v >= 2) break;
    v = atomic_load_explicit(&x, memory_order_acquire);
  }
#elif SHAPE == 5
  int before = 0;
  while (v < 2) {
    before = v;
    v = atomic_load_explicit(&x, memory_order_acquire);
  }
  assert(before == 0);  // @two
#elif SHAPE == 6
  _Bool waits = (v = atomic_load_explicit(&x, memory_order_relaxed)) < 2;
  while (waits) waits = (v = atomic_load_explicit(&x, memory_order_acquire)) < 2;
#endif
  return v;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  result = wait();
  pthread_join(thread, 0);
  return 0;
}
