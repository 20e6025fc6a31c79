//! rc20: verified executions=1
//! sc: verified executions=1
//! rc20: verified executions=1 flags="-- -DPAUSE=__builtin_ia32_pause()"
//! rc20: verified executions=1 flags="-- -DPAUSE=sched_yield()"
//! rc20: verified executions=1 flags="-- -DPAUSE=usleep(10)"
//! rc20: error=data-race line=@write|@read flags="-- -DORDER=memory_order_relaxed"
// A thread that waits for a flag needs no bound: rounds that change nothing are not told apart.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#ifndef PAUSE
#define PAUSE (void)0
#endif
#ifndef ORDER
#define ORDER memory_order_acquire
#endif

static atomic_int flag;
static int data;

static void *set(void *unused) {
  data = 1;  // @write
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  while (atomic_load_explicit(&flag, ORDER) == 0) PAUSE;
  assert(data == 1);  // @read
  pthread_join(thread, 0);
  return 0;
}
