//! sc,tso,pso,ra,rc20,rc11,mca-no-lb,mca-rr: error=data-race line=@write|@read
//! sc,rc20: verified executions=1 blocked=0 flags="-- -DJOINED"
//! rc20: verified executions=1 blocked=0 flags="-- -DBEFORE"
// Two accesses of a global, one a write, and nothing in between: a race under every model. JOINED: the read comes after
// the join. BEFORE: the read comes before the thread starts.
#include <pthread.h>

static int shared;

static void *writer(void *unused) {
  shared = 1;  // @write
  return unused;
}

int main(void) {
  pthread_t thread;
  int seen = 0;
#ifdef BEFORE
  seen = shared;
#endif
  pthread_create(&thread, 0, writer, 0);
#ifdef JOINED
  pthread_join(thread, 0);
#endif
#ifndef BEFORE
  seen = shared;  // @read
#endif
#ifndef JOINED
  pthread_join(thread, 0);
#endif
  return seen == 2;
}
