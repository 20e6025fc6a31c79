//! rc20: verified executions=1 blocked=0 flags="--unroll 3 -- -DLOCAL"
//! rc20: error=assertion-failure line=@count
// A wait that writes plain memory in every round: how often it went round can be told afterwards.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int rounds;

static void *set(void *unused) {
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
#ifdef LOCAL
  int unused = 0;
  while (atomic_load_explicit(&flag, memory_order_acquire) == 0) unused = 1;
  (void)unused;
#else
  while (atomic_load_explicit(&flag, memory_order_acquire) == 0) {
    rounds++;
    assert(rounds < 3);  // @count
  }
#endif
  pthread_join(thread, 0);
  return 0;
}
