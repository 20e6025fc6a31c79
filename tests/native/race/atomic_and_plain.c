//! rc20: error=data-race line=@store|@assign
//! rc20: error=data-race line=@store|@look flags="-- -DPLAIN_READ"
//! rc20: error=data-race line=@load|@assign flags="-- -DATOMIC_READ"
//! rc20: verified executions=1 flags="-- -DATOMIC_READ -DPLAIN_READ"
// An atomic access and a plain one of the same place race like two plain ones, unless both only read.
#include <pthread.h>

static int cell;

static void *atomic_side(void *unused) {
#ifdef ATOMIC_READ
  int seen = __atomic_load_n(&cell, __ATOMIC_SEQ_CST);  // @load
  return seen == 9 ? unused : 0;
#else
  __atomic_store_n(&cell, 1, __ATOMIC_SEQ_CST);  // @store
  return unused;
#endif
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, atomic_side, 0);
  int seen = 0;
#ifdef PLAIN_READ
  seen = cell;  // @look
#else
  cell = 2;  // @assign
#endif
  pthread_join(thread, 0);
  return seen == 9;
}
