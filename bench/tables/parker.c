// parker(N): one thread parks itself, at most N times, until it is told to go on; another tells it N times and
// unparks it. As in a Java runtime, a permit is kept in a counter; the bug that it is known for is a fast path that
// takes the permit without a fence (D. Dice, "A race in LockSupport park() arising from weak memory models", 2009).
// All accesses are seq_cst here, so there is no bug (M. Kokologiannakis' thesis, tables 10.3 and 10.14, after P. A.
// Abdulla et al., "Stateless model checking for TSO and PSO", 2015; the thesis does not print it).
#include <stdatomic.h>

#include "../native/threads.h"

#ifndef N
#define N 1
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int permit, sleeping, go;

static void park(void) {
  if (permit > 0) {
    permit = 0;
    return;
  }
  if (pthread_mutex_trylock(&mutex) != 0) return;
  if (permit > 0) {
    permit = 0;
    pthread_mutex_unlock(&mutex);
    return;
  }
  sleeping = 1;
  pthread_mutex_unlock(&mutex);
  while (sleeping) {
  }
  pthread_mutex_lock(&mutex);
  permit = 0;
  pthread_mutex_unlock(&mutex);
}

static void unpark(void) {
  pthread_mutex_lock(&mutex);
  int before = permit;
  permit = 1;
  pthread_mutex_unlock(&mutex);
  if (before < 1) sleeping = 0;
}

static void *waiter(void *unused) {
  for (int i = 0; i < N && !go; i++) park();
  return unused;
}

static void *waker(void *unused) {
  for (int i = 0; i < N; i++) {
    go = 1;
    unpark();
  }
  return unused;
}

int main(void) {
  pthread_t threads[2] = {start(waiter, 0), start(waker, 0)};
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
