//! rc20: verified executions=1
//! rc20: error=non-termination line=@error flags="-- -DNEVER"
//! rc20: incomplete executions=0 flags="-- -DASSUME"
//! rc20: incomplete executions=0 flags="--unroll 2 -- -DBOUND"
// Main waits for a flag that the thread sets when it has seen the go-ahead. In the executions that are cut short, by an
// assumption or by a bound, the thread might still have set it: no error there.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go, flag;

static void *work(void *unused) {
#ifdef ASSUME
  heddle_assume(atomic_load(&go) == 1);
#elif defined BOUND
  for (int i = 0; i < 3; i++) atomic_fetch_add(&go, 1);
  while (atomic_fetch_add(&go, 1) < 100) {
  }
#else
  while (atomic_load(&go) == 0) {
  }
#endif
#ifndef NEVER
  atomic_store(&flag, 1);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
#ifndef ASSUME
  atomic_store(&go, 1);
#endif
  while (atomic_load(&flag) == 0) {  // @error
  }
  pthread_join(thread, 0);
  return 0;
}
