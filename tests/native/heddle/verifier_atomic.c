//! rc20: verified executions=2 blocked=0
//! rc20: error=data-race|assertion-failure line=@error flags="-- -DNOT_ATOMIC"
// What is between __VERIFIER_atomic_begin and _end is not interrupted by another such section.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#ifdef NOT_ATOMIC
#define BEGIN (void)0
#define END (void)0
#else
#define BEGIN __VERIFIER_atomic_begin()
#define END __VERIFIER_atomic_end()
#endif

static int x;

static void *increment(void *unused) {
  BEGIN;
  x++;  // @error
  END;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, increment, 0);
  increment(0);
  pthread_join(thread, 0);
  assert(x == 2);
  return 0;
}
