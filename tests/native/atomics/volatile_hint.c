//! rc20: error=data-race line=@read|@write text="pass --volatile relaxed"
//! rc20: verified executions=2 flags="--volatile relaxed"
// A volatile variable that is meant as an atomic: the race says what to do.
#include <pthread.h>

static volatile int flag;

static void *writer(void *unused) {
  flag = 1;  // @write
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  int seen = flag;  // @read
  pthread_join(thread, NULL);
  return seen == 2;
}
