//! rc20: verified executions=0 blocked=1 text="never_joined_and_waits.c:27: thread 1 is never joined, and waits at" text="never_joined_and_waits.c:18 when the program ends"
//! rc20: verified executions=1 blocked=0 text="thread 1 is never joined, and waits at" text="never_joined_and_waits.c:14 when" flags="-- -DLOCK"
//! rc20: error=non-termination line=@error flags="-- -DJOIN"
// main returns while a thread, which nobody joins, waits for ever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;

static void *run(void *unused) {
#ifdef LOCK
  pthread_mutex_lock(&mutex);
  return unused;
#endif
  (void)mutex;
  while (!atomic_load(&stop)) {  // @error
  }
  return unused;
}

int main(void) {
#ifdef LOCK
  pthread_mutex_lock(&mutex);
#endif
  pthread_create(&thread, 0, run, 0);
#ifdef JOIN
  pthread_join(thread, 0);
#endif
  return 0;
}
