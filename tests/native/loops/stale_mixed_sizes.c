//! rc20: verified executions=2
//! rc20: incomplete executions=0 text="--stale is not for programs whose accesses overlap in part" flags="--stale 2"
// The exploration by bytes has no such bound.
#include <pthread.h>
#include <stdatomic.h>

static union {
  _Atomic(unsigned) whole;
  _Atomic(unsigned char) byte;
} word;

static void *writer(void *unused) {
  (void)unused;
  atomic_store(&word.byte, 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  atomic_load(&word.whole);
  pthread_join(thread, 0);
  return 0;
}
