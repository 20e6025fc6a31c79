//! rc20: error=assertion-failure line=@failed text="The error was found with --unroll 2"
//! rc20: error=assertion-failure line=@failed flags="-j 2"
//! rc20: error=assertion-failure line=@failed flags="--unroll 2"
//! sc: error=assertion-failure line=@failed
//! rc20: incomplete text="went round the loop at" text="with --unroll 4 there is no error in" flags="-- -DPATIENT"
// A reader adds itself to a lock and takes itself away again if a writer is there. A writer that tries to give the lock back by a
// compare-exchange notices that, so the loop of the reader does not wait, and goes round for as long as the writer is there. The
// error is found nevertheless: what does not end without a bound is searched with one. PATIENT: there is
// none.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { writing = 1, reader = 2 };
static atomic_int lock;

static void *read(void *unused) {
  for (;;) {
    const int before = atomic_fetch_add_explicit(&lock, reader, memory_order_acquire);
    if (!(before & writing)) break;
    atomic_fetch_sub_explicit(&lock, reader, memory_order_relaxed);
  }
  atomic_fetch_sub_explicit(&lock, reader, memory_order_release);
  return unused;
}

static void *write(void *unused) {
  int expected = 0;
  if (!atomic_compare_exchange_strong(&lock, &expected, writing)) return unused;
  expected = writing;
#ifdef PATIENT
  while (!atomic_compare_exchange_strong(&lock, &expected, expected - writing)) {
  }
#else
  const int free = atomic_compare_exchange_strong(&lock, &expected, 0);
  assert(free);  // @failed
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, read, 0);
  pthread_create(&threads[1], 0, write, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
