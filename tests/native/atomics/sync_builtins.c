//! rc20: verified executions=2 blocked=0
// The __sync builtins. Two threads add one to a counter: the two orders of the additions.
#include <assert.h>
#include <pthread.h>

static int counter;
static char lock;
static unsigned long cell = 3;

static void *add(void *unused) {
  __sync_fetch_and_add(&counter, 1);
  return unused;
}

int main(void) {
  assert(__sync_add_and_fetch(&cell, 4) == 7);
  assert(__sync_fetch_and_sub(&cell, 2) == 7);
  assert(__sync_fetch_and_or(&cell, 8) == 5);
  assert(__sync_and_and_fetch(&cell, 12) == 12);
  assert(__sync_xor_and_fetch(&cell, 1) == 13);
  assert(!__sync_bool_compare_and_swap(&cell, 12, 1));
  assert(__sync_val_compare_and_swap(&cell, 13, 1) == 13);
  assert(__sync_lock_test_and_set(&lock, 1) == 0);
  assert(__sync_lock_test_and_set(&lock, 1) == 1);
  __sync_lock_release(&lock);
  assert(__sync_fetch_and_add(&lock, 0) == 0);
  __sync_synchronize();
  pthread_t first, second;
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(counter == 2);
  return 0;
}
