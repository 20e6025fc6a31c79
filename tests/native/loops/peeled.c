//! rc20: verified executions=6
//! sc: verified executions=6
//! rc20: verified executions=6 flags="-- -DROTATED"
//! rc20: error=assertion-failure line=@first flags="-- -DFIRST"
//! rc20: verified executions=6 flags="--equivalence rf"
// The load of the condition stands before the loop and again at its end. Which value came before the last one does not
// matter, unless somebody asks for the first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define READ() atomic_load_explicit(&x, memory_order_relaxed)

static atomic_int x;

static void *writer(void *unused) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void *reader(void *unused) {
#ifdef ROTATED
  if (READ() < 3) {
    do {
    } while (READ() < 3);
  }
#else
  int value = READ();
#ifdef FIRST
  const int first = value;
#endif
  while (value < 3) value = READ();
#ifdef FIRST
  assert(first != 1);  // @first
#endif
  assert(value == 3);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, writer, 0);
  pthread_create(&threads[3], 0, reader, 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  return 0;
}
