//! rc20,sc: verified executions=1 blocked=0 flags="-- -DSHAPE=1"
//! rc20,sc: verified executions=1 blocked=0 flags="-- -DSHAPE=2"
//! rc20,sc: verified executions=1 blocked=0 flags="-- -DSHAPE=3"
//! rc20,sc: verified executions=1 blocked=0 flags="-- -DSHAPE=4"
//! rc20: error=assertion-failure line=@reached flags="-- -DSHAPE=1 -DREACHED"
//! rc20: error=assertion-failure line=@reached flags="-- -DSHAPE=4 -DREACHED"
//! rc20: error=non-termination line=@error flags="-- -DSHAPE=1 -DNOBODY"
//! rc20: error=non-termination line=@error-2 flags="-- -DSHAPE=3 -DNOBODY"
// A loop inside another one that begins at the same place. A round of the inner one is none of the outer one: a thread that has read
// nothing yet does not wait.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int x, y;
static volatile int pauses = 2;

static void *waiter(void *unused) {
#if SHAPE == 1
  do {  // @error
    for (int i = 0; i < 2; i++) sched_yield();
  } while (!atomic_load(&y));
#elif SHAPE == 2
  for (;;) {
    for (int i = 2; i > 0; i--) {
    }
    if (atomic_load(&y)) break;
  }
#elif SHAPE == 3
  for (int found = 0; !found;) {  // @error-2
    for (int i = 0; i < 3; i++) {
      if (atomic_load(&x)) return unused;
    }
    found = atomic_load(&y);
  }
#elif SHAPE == 4
  do {
    int n = pauses;
    while (n > 0) {
      sched_yield();
      n--;
    }
  } while (!atomic_load(&y));
#endif
#ifdef REACHED
  assert(0);  // @reached
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
#ifndef NOBODY
  atomic_store(&y, 1);
#endif
  pthread_join(thread, 0);
  return 0;
}
