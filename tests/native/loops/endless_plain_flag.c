//! rc20: error=data-race|no-progress line=@error
//! rc20: verified executions=1 blocked=0 flags="-- -DATOMIC"
// Waiting for a plain flag: it is a race, whether the other thread has set it yet or not.
#include <pthread.h>
#include <stdatomic.h>

#ifdef ATOMIC
static atomic_int flag;
#else
static int flag;
#endif

static void *set(void *unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  while (!flag) {  // @error
  }
  pthread_join(thread, 0);
  return 0;
}
