//! rc20,sc: verified executions=4 blocked=0
//! rc20: error=assertion-failure line=@last flags="-- -DFAIL"
// A loop that tries again after a jump back into its round. Each try is a round of its own: none of them is left out.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int ready;
static jmp_buf again;

static void need(int value) {
  if (!value) longjmp(again, 1);
}

static void *get_ready(void *unused) {
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, get_ready, NULL);
  volatile int tries = 0, found = 0;
  while (tries < 3 && !found) {
    tries = tries + 1;
    if (setjmp(again) == 0) {
      need(atomic_load_explicit(&ready, memory_order_relaxed));
      found = 1;
    }
  }
#ifdef FAIL
  assert(tries < 3 || !found);  // @last
#endif
  pthread_join(thread, NULL);
  return 0;
}
