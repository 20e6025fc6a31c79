//! sc,rc20,ra: verified executions=2 blocked=0
//! rc20: error=data-race line=@read|@write flags="-- -DLATE"
// What a thread has written before the transaction in which it says so can be read after the transaction that finds that out.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

static int data, ready;

static void *publish(void *unused) {
#ifndef LATE
  data = 42;
#endif
  heddle_transaction_begin();
  ready = 1;
  heddle_transaction_end();
#ifdef LATE
  data = 42;  // @write
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, publish, 0);
  heddle_transaction_begin();
  const int seen = ready;
  heddle_transaction_end();
  if (seen) {
    const int found = data;  // @read
#ifdef LATE
    (void)found;
#else
    assert(found == 42);
#endif
  }
  pthread_join(thread, 0);
  return 0;
}
