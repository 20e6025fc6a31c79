//! rc20: verified executions=2 flags="-- -DSHAPE=1"
//! rc20: verified executions=2 flags="-- -DSHAPE=2"
//! rc20: verified executions=2 flags="-- -DSHAPE=3"
//! rc20: verified executions=2 flags="-- -DSHAPE=4"
//! rc20: verified executions=2 flags="-- -DSHAPE=5"
//! rc20: verified executions=2 flags="-- -DSHAPE=9"
//! rc20: verified executions=2 flags="-- -DSHAPE=10"
//! rc20: error=assertion-failure line=@tries flags="-- -DSHAPE=6"
//! rc20: error=assertion-failure line=@element flags="-- -DSHAPE=7"
//! rc20: error=assertion-failure line=@sum flags="-- -DSHAPE=8"
//! rc20: error=assertion-failure line=@parked flags="-- -DSHAPE=1 -DWRONG"
//! rc20: error=assertion-failure line=@parked flags="-- -DSHAPE=3 -DWRONG"
//! rc20: error=assertion-failure line=@found flags="-- -DSHAPE=1 -DWRONG=2"
// To spin for a while and then do something else: the flag is there at once, or the thread gives up after one round. How many
// rounds it would have been does not matter, unless it is asked how often it was tried (6), each round looks at something
// else (7), or a round in vain leaves something behind (8).
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag, flags[3];

static void *setter(void *unused) {
  atomic_store_explicit(&flags[1], 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

static int spin(void) {
#if SHAPE == 1
  for (int i = 0; i < 100; i++) {
    if (atomic_load_explicit(&flag, memory_order_acquire)) return 1;
    sched_yield();
  }
#elif SHAPE == 2
  int left = 100;
  while (left-- > 0) {
    if (atomic_load_explicit(&flag, memory_order_acquire)) return 1;
  }
#elif SHAPE == 3
  int i = 0;
  do {
    if (atomic_load_explicit(&flag, memory_order_acquire)) return 1;
  } while (++i < 100);
#elif SHAPE == 4
  int i = 0;
  for (;;) {
    if (atomic_load_explicit(&flag, memory_order_acquire)) return 1;
    if (++i > 100) break;
    if (i > 10) sched_yield();
  }
#elif SHAPE == 5
  for (int i = 0; i < 100; i++) {
    int expected = 1;
    if (atomic_compare_exchange_strong(&flag, &expected, 2)) return 1;
  }
#elif SHAPE == 9
  int i = 0;
  while (i < 100 && !atomic_load_explicit(&flag, memory_order_acquire)) i++;
#elif SHAPE == 10
  int i = 0;
  while (!atomic_load_explicit(&flag, memory_order_acquire) && i < 100) i++;
#elif SHAPE == 6
  int i = 0;
  for (; i < 3; i++) {
    if (atomic_load_explicit(&flag, memory_order_acquire)) break;
  }
  assert(i != 2);  // @tries
#elif SHAPE == 7
  for (int i = 0; i < 3; i++) {
    if (atomic_load_explicit(&flags[i], memory_order_acquire)) {
      assert(i == 0);  // @element
      return 1;
    }
  }
#elif SHAPE == 8
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    if (atomic_load_explicit(&flag, memory_order_acquire)) return 1;
    sum += 2;
  }
  assert(sum != 6);  // @sum
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, setter, 0);
  const int found = spin();
#if WRONG + 0 == 2
  assert(!found);  // @found
#elif defined(WRONG)
  assert(found);  // @parked
#endif
  (void)found;
  pthread_join(thread, 0);
  return 0;
}
