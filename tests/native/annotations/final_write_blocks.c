//! rc20: verified executions=2 blocked=2 flags="-- -DTHESIS"
//! rc20: error=assertion-failure line=@elsewhere
//! rc20: error=non-termination line=@error flags="-- -DSPIN"
// Threads that a final write blocks. What others do meanwhile they may do in no other execution, so it is explored; and a
// loop that waits for a final write to change never ends.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *reads(void *unused) {
#ifdef SPIN
  while (atomic_load(&x) == 1) {  // @error
  }
#else
  heddle_assume(atomic_load(&x) != 1);
#endif
  return unused;
}

#ifdef THESIS
static void *other(void *unused) {
  atomic_store(&y, 1);
  return unused;
}
#endif

int main(void) {
  pthread_t thread;
#ifdef THESIS
  pthread_t second;
  pthread_create(&thread, 0, reads, 0);
  pthread_create(&second, 0, other, 0);
  heddle_final(atomic_store(&x, 1));
  int r = atomic_load(&y);
  (void)r;
  pthread_join(second, 0);
#else
  heddle_final(atomic_store(&x, 1));
  pthread_create(&thread, 0, reads, 0);
#ifndef SPIN
  heddle_assert(atomic_load(&y) == 1);  // @elsewhere
#endif
#endif
  pthread_join(thread, 0);
  return 0;
}
