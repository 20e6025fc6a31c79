//! lkmm: verified
//! lkmm: verified flags="-- -DCOPY"
//! lkmm: verified flags="-- -DCALL"
//! lkmm: verified flags="-- -DTWICE"
//! lkmm: error=assertion-failure line=@error flags="-- -DREAD"
//! lkmm: error=assertion-failure line=@error flags="-- -DELSEWHERE"
//! lkmm: error=assertion-failure line=@error flags="-- -DAFTER"
//! lkmm: error=assertion-failure line=@error flags="-- -DFENCE=barrier"
//! lkmm: error=assertion-failure line=@error flags="-- -DFENCE=smp_rmb"
// A plain store through a pointer, and then smp_wmb(): what is written after that comes after the read of the pointer, though the
// store itself races with nobody.
#include <heddle/linux.h>
#include <string.h>

#ifndef FENCE
#define FENCE smp_wmb
#endif

static int a, b, other, y, r;
static int *pointer = &a, *found;

static void store(int *through) { *through = 1; }

static int first(void *unused) {
  (void)unused;
  found = READ_ONCE(pointer);
#if defined(COPY)
  int one = 1;
  memcpy(found, &one, sizeof one);
#elif defined(CALL)
  store(found);
#elif defined(TWICE)
  *found = 1;
  smp_wmb();
#elif defined(READ)
  r += *found;
#elif defined(ELSEWHERE)
  store(&other);
#endif
#if !defined(COPY) && !defined(CALL) && !defined(TWICE) && !defined(READ) && !defined(ELSEWHERE) && !defined(AFTER)
  *found = 1;
#endif
  FENCE();
#ifdef AFTER
  *found = 1;
#endif
  WRITE_ONCE(y, 1);
  return 0;
}

static int second(void *unused) {
  (void)unused;
  int seen = READ_ONCE(y);
  smp_mb();
  WRITE_ONCE(pointer, &b);
  return seen;
}

int main(void) {
  struct task_struct *one = kthread_run(first, NULL, "first"), *two = kthread_run(second, NULL, "second");
  kthread_stop(one);
  int seen = kthread_stop(two);
  BUG_ON(seen == 1 && found == &b);  // @error
}
