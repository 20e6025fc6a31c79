//! rc20: error=division-by-zero line=@divide
//! rc20: verified executions=2 blocked=0 flags="-- -DCHECKED"
// The divisor is zero in one execution.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 1;

static void *clear(void *unused) {
  atomic_store(&divisor, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, clear, 0);
#ifdef CHECKED
  int copy = atomic_load(&divisor);
  int result = copy == 0 ? 0 : 10 / copy;
#else
  int result = 10 / atomic_load(&divisor);  // @divide
#endif
  pthread_join(thread, 0);
  return result == 99;
}
