//! lkmm: verified
//! lkmm: error=assertion-failure flags="-- -DBUG"
//! why: An interleaving of the threads, the one above, leads there.
//
// A counter with a part for each processor: who counts touches its own part only, who asks adds them up.
//
// BUG: all count on the first processor's part, where updates get lost.
#include <heddle/linux.h>

static DEFINE_PER_CPU(int, count);

static void count_one(void) {
#ifdef BUG
  WRITE_ONCE(per_cpu(count, 0), READ_ONCE(per_cpu(count, 0)) + 1);
#else
  this_cpu_inc(count);
#endif
}

static int sum(void) {
  int cpu, all = 0;
  for_each_possible_cpu(cpu) all += READ_ONCE(per_cpu(count, cpu));
  return all;
}

static int worker(void *unused) {
  (void)unused;
  count_one();
  count_one();
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(worker, NULL, "worker");
  struct task_struct *b = kthread_run(worker, NULL, "worker");
  const int now = sum();
  BUG_ON(now > 4);
  kthread_stop(a);
  kthread_stop(b);
  BUG_ON(sum() != 4);
}
