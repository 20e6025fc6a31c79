//! rc20: error=abort line=@abort
//! rc20: verified executions=2 blocked=0 flags="-- -DEXIT"
// abort, reached in some executions. EXIT: exit with a code is no error.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void *set(void *unused) {
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, set, NULL);
  if (atomic_load(&flag) == 1) {
#ifdef EXIT
    exit(3);
#else
    abort();  // @abort
#endif
  }
  pthread_join(thread, NULL);
  return 0;
}
