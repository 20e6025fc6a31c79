//! tso: error=recovery line=60 flags="--persistency px86"
//! tso: error=recovery line=60 flags="--persistency px86 -- -DDETACHED"
//! tso: error=recovery line=60 flags="--persistency px86 -- -DEXITS"
//! tso: error=recovery line=60 flags="--persistency px86 -- -DLOCKS"
//! tso: error=recovery line=60 flags="--persistency px86 -- -DSLEEPS"
//! tso: error=recovery line=60 flags="--persistency px86 --liveness off -- -DJOINED"
//! tso: error=non-termination flags="--persistency px86 -- -DJOINED"
//! tso: verified executions=2 blocked=0 flags="--persistency px86 -- -DRIGHT"
//! tso: verified executions=2 blocked=0 flags="--persistency px86 -- -DRIGHT -DDETACHED"
//! tso: verified executions=2 blocked=0 flags="--persistency px86 -- -DRIGHT -DEXITS"
//! tso: verified executions=2 blocked=0 flags="--persistency px86 --liveness off -- -DRIGHT -DJOINED"
//! tso: incomplete executions=0 blocked=1 flags="--persistency px86 -- -DASSUMED"
// The program ends, and a thread still waits: in a loop, for a lock, for a condition. Crashes are explored all the same. An execution that
// an assumption ends is none.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

HEDDLE_PERSISTENT atomic_int x;
atomic_int go;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* writer(void* unused) {
  atomic_store(&x, 1);
#ifdef LOCKS
  pthread_mutex_lock(&mutex);
#elif defined SLEEPS
  pthread_mutex_lock(&mutex);
  while (!atomic_load(&go)) pthread_cond_wait(&condition, &mutex);
#elif defined ASSUMED
  heddle_assume(atomic_load(&go));
#else
  while (!atomic_load(&go)) {
  }
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef LOCKS
  pthread_mutex_lock(&mutex);
#endif
  pthread_create(&thread, 0, writer, 0);
#ifdef DETACHED
  pthread_detach(thread);
#elif defined JOINED
  pthread_join(thread, 0);
#elif defined EXITS
  exit(0);
#endif
  return 0;
}

#ifdef RIGHT
void heddle_recovery(void) { heddle_assert(atomic_load(&x) <= 1); }
#else
void heddle_recovery(void) { heddle_assert(atomic_load(&x) == 0); }
#endif
