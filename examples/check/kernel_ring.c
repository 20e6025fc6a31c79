//! lkmm: verified
//! lkmm: error=data-race flags="-- -DBUG"
//! why: Nothing orders the two accesses.
//
// A ring buffer for one producer and one consumer, as Documentation/core-api/circular-buffers.rst describes it: an index is
// published by a release, and the other side reads it by an acquire.
//
// BUG: the producer publishes without a release. The consumer may find the index and not yet the item: a data race.
#include <heddle/linux.h>

#define SIZE 2
#define ITEMS 3

static int ring[SIZE];
static unsigned head, tail;

static bool produce(int item) {
  const unsigned h = head;
  if (h - smp_load_acquire(&tail) == SIZE) return false;
  ring[h % SIZE] = item;
#ifdef BUG
  WRITE_ONCE(head, h + 1);
#else
  smp_store_release(&head, h + 1);
#endif
  return true;
}

static bool consume(int *item) {
  const unsigned t = tail;
  if (smp_load_acquire(&head) == t) return false;
  *item = ring[t % SIZE];
  smp_store_release(&tail, t + 1);
  return true;
}

static int producer(void *unused) {
  (void)unused;
  for (int i = 1; i <= ITEMS; ++i) {
    while (!produce(i)) cpu_relax();
  }
  return 0;
}

static int consumer(void *unused) {
  int item;
  (void)unused;
  for (int i = 1; i <= ITEMS; ++i) {
    while (!consume(&item)) cpu_relax();
    BUG_ON(item != i);
  }
  return 0;
}

int main(void) {
  struct task_struct *p = kthread_run(producer, NULL, "producer");
  struct task_struct *c = kthread_run(consumer, NULL, "consumer");
  kthread_stop(p);
  kthread_stop(c);
}
