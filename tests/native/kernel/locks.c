//! lkmm: verified executions=2 flags="-- -DSPIN"
//! lkmm: verified executions=4 flags="-- -DSPIN -DTRY"
//! lkmm: verified executions=2 flags="-- -DMUTEX"
//! lkmm: verified flags="-- -DRW"
//! lkmm: verified executions=2 flags="-- -DSEQ"
//! lkmm: error=data-race|assertion-failure line=@error flags="-- -DNOTHING"
// Locks of every kind around a plain counter.
#include <heddle/linux.h>

static int counter;
static DEFINE_SPINLOCK(spin);
static DEFINE_MUTEX(mutex);
static DEFINE_RWLOCK(rw);
static DEFINE_SEQLOCK(seq);

static int worker(void *unused) {
  unsigned long flags = 0;
  (void)unused;
#ifdef SPIN
#ifdef TRY
  if (!spin_trylock(&spin))
#endif
    spin_lock_irqsave(&spin, flags);
#elif defined(MUTEX)
  mutex_lock(&mutex);
#elif defined(RW)
  write_lock(&rw);
#elif defined(SEQ)
  write_seqlock(&seq);
#endif
  ++counter;  // @error
#ifdef SPIN
  spin_unlock_irqrestore(&spin, flags);
#elif defined(MUTEX)
  mutex_unlock(&mutex);
#elif defined(RW)
  write_unlock(&rw);
  read_lock(&rw);
  BUG_ON(counter < 1);
  read_unlock(&rw);
#elif defined(SEQ)
  write_sequnlock(&seq);
#endif
  (void)flags, (void)spin, (void)mutex, (void)rw, (void)seq;
  return 0;
}

int main(void) {
  struct task_struct *a = kthread_run(worker, NULL, "worker");
  struct task_struct *b = kthread_run(worker, NULL, "worker");
  kthread_stop(a);
  kthread_stop(b);
  BUG_ON(counter != 2);
}
