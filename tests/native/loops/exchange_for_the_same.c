//! rc20: verified executions=1
//! sc: verified executions=1
//! rc20: verified executions=1 flags="-- -DWEAK"
//! rc20: error=assertion-failure line=@counted flags="-- -DOTHER"
//! rc20: error=non-termination line=@error flags="-- -DNOBODY"
// A compare-exchange that succeeds and writes what was there changes nothing, so the loop around it waits. One that writes
// another value does change something: the rounds are counted (OTHER).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, rounds;

static void *waiter(void *unused) {
  for (;;) {  // @error
    int expected = 0;
#ifdef OTHER
    if (!atomic_compare_exchange_strong(&rounds, &expected, 1)) break;
#endif
    expected = 0;
#ifdef WEAK
    if (!atomic_compare_exchange_weak(&x, &expected, 0) && expected != 0) break;
#else
    if (!atomic_compare_exchange_strong(&x, &expected, 0)) break;
#endif
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
#ifndef NOBODY
  atomic_store(&x, 1);
#endif
  pthread_join(thread, 0);
  assert(atomic_load(&rounds) == 0);  // @counted
  return 0;
}
