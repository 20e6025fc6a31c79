//! rc20: verified executions=1 flags="-- -DSHAPE=1"
//! rc20: verified executions=1 flags="-- -DSHAPE=2"
//! rc20: verified executions=1 flags="-- -DSHAPE=3"
//! rc20: verified executions=1 flags="--pure getppid -- -DSHAPE=4"
//! rc20: error=assertion-failure line=@long flags="-- -DSHAPE=5"
//! rc20: error=non-termination line=@error flags="-- -DSHAPE=1 -DNOBODY"
// A loop that waits and pauses longer and longer, in the ways people write it. How long it has paused matters only if somebody
// asks (5).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int ready;
extern int getppid(void);

static void *waiter(void *unused) {
#if SHAPE == 1
  struct timespec pause = {0, 100};
  while (!atomic_load(&ready)) nanosleep(&pause, 0);  // @error
#elif SHAPE == 2 || SHAPE == 5
  struct timespec pause = {0, 100};
  while (!atomic_load(&ready)) {
    nanosleep(&pause, 0);
    if (pause.tv_nsec < 1000000) pause.tv_nsec *= 2;
  }
#if SHAPE == 5
  assert(pause.tv_nsec < 400);  // @long
#endif
#elif SHAPE == 3
  int pause = 1;
  while (!atomic_load(&ready)) {
    for (volatile int i = 0; i < pause; i++) {
    }
    if (pause < 1024) pause *= 2;
  }
#elif SHAPE == 4
  for (int pause = 1; !atomic_load(&ready); pause++) if (pause % 2) getppid();
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
#ifndef NOBODY
  atomic_store(&ready, 1);
#endif
  pthread_join(thread, 0);
  return 0;
}
