//! lkmm: verified
//! lkmm: error=assertion-failure flags="-- -DBUG"
//! why: No interleaving of the threads explains this execution.
//
// Two words that belong together, under a sequence counter: a reader that has seen a writer at work tries again.
//
// BUG: the writer does not order the counter with the data. A reader may see half of an update and an even counter that has
// not changed.
#include <heddle/linux.h>

static seqcount_t seq;
static int a, b;

static int writer(void *unused) {
  (void)unused;
#ifdef BUG
  WRITE_ONCE(seq.sequence, seq.sequence + 1);
  WRITE_ONCE(a, 1);
  WRITE_ONCE(b, 1);
  WRITE_ONCE(seq.sequence, seq.sequence + 1);
#else
  write_seqcount_begin(&seq);
  WRITE_ONCE(a, 1);
  WRITE_ONCE(b, 1);
  write_seqcount_end(&seq);
#endif
  return 0;
}

static int reader(void *unused) {
  unsigned start;
  int x, y;
  (void)unused;
  do {
    start = read_seqcount_begin(&seq);
    x = READ_ONCE(a);
    y = READ_ONCE(b);
  } while (read_seqcount_retry(&seq, start));
  BUG_ON(x != y);
  return 0;
}

int main(void) {
  struct task_struct *w = kthread_run(writer, NULL, "writer");
  struct task_struct *r = kthread_run(reader, NULL, "reader");
  kthread_stop(w);
  kthread_stop(r);
}
