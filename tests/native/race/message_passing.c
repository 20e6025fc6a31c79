//! sc,tso,pso,ra,rc20,rc11,mca-no-lb,mca-rr: verified executions=2 blocked=0
//! sc,tso,rc20: error=data-race line=@write|@read flags="-- -DSTORE=memory_order_relaxed"
//! sc,tso,rc20: error=data-race line=@write|@read flags="-- -DLOAD=memory_order_relaxed"
// Release and acquire make the plain data behind the flag safe; either one missing does not, whatever the machine
// (litmus NA+MP+rel-acq, NA+MP+rlx-acq, NA+MP+rel-rlx).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef STORE
#define STORE memory_order_release
#endif
#ifndef LOAD
#define LOAD memory_order_acquire
#endif

static int data;
static atomic_int flag;

static void *writer(void *unused) {
  data = 1;  // @write
  atomic_store_explicit(&flag, 1, STORE);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  if (atomic_load_explicit(&flag, LOAD) == 1) assert(data == 1);  // @read
  pthread_join(thread, 0);
  return 0;
}
