#include <assert.h>
#include <pthread.h>

#include "ticket_lock.h"

static ticket_lock lock;
static int counter;

static void* increment(void* unused) {
  (void)unused;
  ticket_lock_acquire(&lock);
  ++counter;
  ticket_lock_release(&lock);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, increment, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(counter == 2);
  return 0;
}
