//! rc20: verified executions=2 blocked=0
//! rc20: error=assertion-failure line=@closed flags="-- -DWRONG"
// A wait with two ways out, at different places, that two other threads open.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int open, closed;

static void *set(void *flag) {
  atomic_store((atomic_int *)flag, 1);
  return 0;
}

static int wait(void) {
  for (;;) {
    if (atomic_load(&open)) return 1;
    if (atomic_load(&closed)) break;
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, set, &open);
  pthread_create(&second, 0, set, &closed);
  int result = wait();
#ifdef WRONG
  assert(result == 1);  // @closed
#else
  assert(result == 0 || result == 1);
#endif
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
