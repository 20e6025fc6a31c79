//! rc20,sc: verified executions=4 blocked=0 flags="-- -DWAKE=2"
//! rc20: verified executions=4 blocked=0 flags="-- -DWAKE=FUTEX_BITSET_MATCH_ANY"
//! rc20,sc: error=deadlock line=@sleeps flags="-- -DWAKE=1"
// A thread that sleeps with a set of bits is woken by who has one of them.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *sleep_there(void *unused) {
  while (word == 0) syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, 0, 0, 6);  // @sleeps
  return unused;
}

int main(void) {
  assert(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, 0, 0, 0) == -1 && errno == EINVAL);
  pthread_t thread;
  pthread_create(&thread, 0, sleep_there, 0);
  word = 1;
  syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, 0, 0, WAKE);
  pthread_join(thread, 0);
  return 0;
}
