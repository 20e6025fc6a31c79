//! rc20: verified executions=1 blocked=0
//! rc20: verified executions=1 blocked=0 flags="-- -DN=255"
//! rc20: verified executions=1 blocked=0 flags="-j 2 -- -DN=255"
//! rc20: verified executions=1 blocked=0 flags="--equivalence rf -- -DN=255"
//! rc20: incomplete text="the program starts more than 255 threads, counting those that have ended" flags="-- -DN=256"
// Threads that have ended count, too, but there is room for many.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 100
#endif

static atomic_int sum;
static int plain;

static void *add(void *unused) {
  atomic_fetch_add(&sum, 1);
  plain++;
  return unused;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_join(thread, NULL);
  }
  assert(atomic_load(&sum) == N && plain == N);
  return 0;
}
