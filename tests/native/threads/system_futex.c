//! rc20: verified executions=22 blocked=0
// The system call, by threads with high numbers: each of two sleepers is woken by one call.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic unsigned value;

static void *nothing(void *unused) { return unused; }

static void *sleeper(void *unused) {
  syscall(SYS_futex, &value, FUTEX_WAIT, 0, 0, 0, 0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 100; i++) {
    pthread_create(&a, NULL, nothing, NULL);
    pthread_join(a, NULL);
  }
  pthread_create(&a, NULL, sleeper, NULL);
  pthread_create(&b, NULL, sleeper, NULL);
  atomic_store(&value, 1);
  syscall(SYS_futex, &value, FUTEX_WAKE, 1, 0, 0, 0);
  syscall(SYS_futex, &value, FUTEX_WAKE, 1, 0, 0, 0);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
