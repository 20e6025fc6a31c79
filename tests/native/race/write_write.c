//! rc20: error=data-race line=@store text="shared"
//! rc20: verified executions=1 flags="-- -DREADS"
// Two writes race even if they write the same value; two reads never do.
#include <pthread.h>

static int shared = 1;

static void *access_it(void *unused) {
#ifdef READS
  static __thread int sink;
  sink = shared;
#else
  shared = 1;  // @store
#endif
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, access_it, 0);
  pthread_create(&second, 0, access_it, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
