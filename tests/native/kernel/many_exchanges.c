//! lkmm: verified executions=7594 blocked=0
//! lkmm: verified executions=7594 blocked=0 flags="-j 1"
// What has been explored is remembered, so one process does it, however long it takes. The litmus test has as many executions.
#include <heddle/linux.h>

#define THREADS 4

static int x, y[THREADS];

static int exchanges(void *number) {
  long i = (long)number;
  int r = cmpxchg(&x, (int)i, (int)i + 1);
  WRITE_ONCE(y[i], 1);
  int s = READ_ONCE(y[(i + 1) % THREADS]);
  cmpxchg_relaxed(&x, r, s);
  return 0;
}

int main(void) {
  struct task_struct *threads[THREADS];
  for (long i = 0; i < THREADS; ++i) threads[i] = kthread_run(exchanges, (void *)i, "exchanges");
  for (int i = 0; i < THREADS; ++i) kthread_stop(threads[i]);
}
