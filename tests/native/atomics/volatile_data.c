//! rc20: error=data-race line=@write|@read flags="--volatile=relaxed"
//! rc20: error=data-race line=@read
// Volatile accesses that count as relaxed do not synchronise: the data behind the flag is racy all the same.
#include <pthread.h>

static volatile int flag;
static int data;

static void *set(void *unused) {
  data = 1;  // @write
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  int seen = 0;
  if (flag) seen = data;  // @read
  pthread_join(thread, 0);
  return seen == 2;
}
