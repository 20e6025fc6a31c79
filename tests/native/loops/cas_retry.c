//! rc20: verified executions=6
//! sc: verified executions=6
//! rc20: verified executions=6 flags="--no-spurious"
//! rc20: error=assertion-failure line=@first flags="-- -DFIRST"
//! rc20: error=data-race line=@data flags="-- -DACQUIRE"
//! rc20: error=assertion-failure line=@other flags="-- -DOTHER"
// What a failed compare-exchange has found, the load before the loop could have found, too: only the attempt that succeeds
// counts. Not so if the first value is used, if the load is stronger than the failure, or if something else is read in
// between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef ACQUIRE
#define LOAD memory_order_acquire
#else
#define LOAD memory_order_relaxed
#endif

static atomic_int x, y;
static int data;

static int add(int amount) {
  int old = atomic_load_explicit(&x, LOAD);
#ifdef FIRST
  const int first = old;
#endif
#ifdef OTHER
  const int other = atomic_load_explicit(&y, memory_order_relaxed);
#endif
  while (!atomic_compare_exchange_weak_explicit(&x, &old, old + amount, memory_order_relaxed, memory_order_relaxed)) {
  }
#ifdef FIRST
  assert(old != 10 || first == old);  // @first
#endif
#ifdef OTHER
  assert(old != 10 || other == 1);  // @other
#endif
  return old;
}

static void *ten(void *unused) {
  data = 1;
  atomic_store_explicit(&y, 1, memory_order_release);
#if defined(ACQUIRE) || defined(OTHER)
  atomic_store_explicit(&x, 10, memory_order_release);
#else
  add(10);
#endif
  return unused;
}

static void *hundred(void *unused) {
  add(100);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, ten, 0);
#if !defined(ACQUIRE) && !defined(OTHER)
  pthread_create(&second, 0, hundred, 0);
#endif
  const int old = add(1);
#ifdef ACQUIRE
  if (old == 10) return data;  // @data
#endif
  pthread_join(first, 0);
#if !defined(ACQUIRE) && !defined(OTHER)
  pthread_join(second, 0);
  assert(atomic_load(&x) == 111);
#endif
  (void)old;
  (void)hundred;
  return 0;
}
