//! rc20: verified executions=6 flags="-- -DSHAPE=1"
//! rc20: verified executions=6 flags="-- -DSHAPE=2"
//! rc20: verified executions=6 flags="-- -DSHAPE=3"
//! rc20: verified executions=6 flags="-- -DSHAPE=4"
//! sc: verified executions=6 flags="-- -DSHAPE=1"
//! rc20: verified executions=6 flags="--equivalence rf -- -DSHAPE=1"
//! rc20: verified executions=6 flags="-j 2 -- -DSHAPE=3"
//! rc20: error=data-race line=@error flags="-- -DSHAPE=1 -DLOOK"
//! rc20: error=assertion-failure line=@seen flags="-- -DSHAPE=3 -DLOOK"
//! rc20: error=assertion-failure line=@moved flags="-- -DSHAPE=5"
// A stack of numbers: each thread writes its element of an array of links, again in each attempt. Where the element is does not
// change, so what a failed attempt has left there is written anew. Others may not look at it meanwhile (LOOK). In 5 each attempt writes
// another element, and what was written stays.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#if SHAPE <= 2
static int links[3][2];
#define SET(number, to) (links[number][1] = (to))
#define GET(number) links[number][1]
#else
static atomic_int links[3][2];
#define SET(number, to) atomic_store_explicit(&links[number][1], to, memory_order_relaxed)
#define GET(number) atomic_load_explicit(&links[number][1], memory_order_relaxed)
#endif

static atomic_int top = -1;
#if SHAPE == 5
static int tries[2][2];
#endif

static void *push(void *argument) {
  const long number = (long)argument;
#if SHAPE == 5
  int old = atomic_load_explicit(&top, memory_order_relaxed), attempt = 0;
  while (attempt < 2) {
    tries[number][attempt++] = old + 10;
    if (atomic_compare_exchange_strong_explicit(&top, &old, (int)number, memory_order_release, memory_order_relaxed)) break;
  }
#elif SHAPE == 1 || SHAPE == 3
  int old = atomic_load_explicit(&top, memory_order_relaxed);
  do {
    SET(number, old);  // @error
  } while (!atomic_compare_exchange_weak_explicit(&top, &old, (int)number, memory_order_release, memory_order_relaxed));
#else
  for (;;) {
    int old = atomic_load_explicit(&top, memory_order_relaxed);
    SET(number, old);
    if (atomic_compare_exchange_weak_explicit(&top, &old, (int)number, memory_order_release, memory_order_relaxed)) break;
  }
#endif
  return 0;
}

int main(void) {
#if SHAPE == 5
  enum { kThreads = 2 };
#else
  enum { kThreads = 3 };
#endif
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; i++) pthread_create(&threads[i], 0, push, (void *)i);
#ifdef LOOK
  const int seen = GET(0);
#endif
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], 0);
#ifdef LOOK
  assert(seen == 0 || seen == GET(0));  // @seen
#endif
#if SHAPE == 5
  assert(tries[0][1] == 0 && tries[1][1] == 0);  // @moved
#else
  int count = 0;
  for (int at = atomic_load(&top); at != -1; at = GET(at)) count++;
  assert(count == 3);
#endif
  return 0;
}
