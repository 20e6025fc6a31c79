//! rc20: verified executions=2 blocked=0
//! rc20: verified executions=2 blocked=0 flags="-- -DCMPXCHG"
//! rc20: error=assertion-failure line=@alone flags="-- -DNO_LOCK"
// A lock made of xchg or of lock cmpxchg; NO_LOCK goes in without.
#include <assert.h>
#include <pthread.h>

static int taken;
static int inside;

static int try_take(void) {
#if defined NO_LOCK
  return 1;
#elif defined CMPXCHG
  int old = 0;
  __asm__ volatile("lock; cmpxchgl %2, %1" : "+a"(old), "+m"(taken) : "r"(1) : "memory", "cc");
  return old == 0;
#else
  int value = 1;
  __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(taken) : : "memory");
  return value == 0;
#endif
}

static void *work(void *unused) {
  if (try_take()) {
    int others = __atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED);
    assert(others == 0);  // @alone
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  return 0;
}
