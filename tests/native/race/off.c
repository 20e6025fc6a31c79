//! rc20: error=data-race line=@increment
//! rc20: error=assertion-failure line=@lost flags="--races=off"
//! rc20: verified executions=2 blocked=0 flags="--races=off -- -DLOAD_ONLY"
// With --races=off plain accesses are relaxed events: the lost update shows as a wrong result. LOAD_ONLY: the reader
// sees the old or the new value.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *work(void *unused) {
  counter++;  // @increment
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
#ifdef LOAD_ONLY
  int seen = counter;
  assert(seen == 0 || seen == 1);
  pthread_join(thread, 0);
#else
  work(0);
  pthread_join(thread, 0);
  assert(counter == 2);  // @lost
#endif
  return 0;
}
