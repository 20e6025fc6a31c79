//! rc20: verified executions=4 blocked=0
//! rc20: error=deadlock line=@error flags="-- -DFORGET"
// A futex: the kernel looks at the word and puts the thread to sleep in one step. FORGET: nobody wakes it.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int word;
int data;

void* waker(void* unused) {
  data = 1;
  atomic_store_explicit(&word, 1, memory_order_release);
#ifndef FORGET
  syscall(SYS_futex, &word, FUTEX_WAKE, 1);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waker, 0);
  while (atomic_load_explicit(&word, memory_order_acquire) == 0) syscall(SYS_futex, &word, FUTEX_WAIT, 0, (void*)0);  // @error
  assert(data == 1);
  pthread_join(thread, 0);
}
