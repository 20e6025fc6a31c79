//! sc,tso,pso,ra,rc20,rc11,mca-no-lb,mca-rr: verified executions=2 blocked=0
//! rc20: error=data-race line=@write|@read flags="-- -DNO_RELEASE"
//! rc20: error=data-race line=@write|@read flags="-- -DNO_ACQUIRE"
//! sc: error=data-race line=@write|@read flags="-- -DNO_ACQUIRE"
//! rc20: error=data-race line=@write|@read flags="-- -DSIGNAL"
// Plain data behind relaxed accesses with fences: no race if both fences are there, under every model, and a race
// if one is missing or a signal fence (litmus NA+MP+fences, NA+MP+nofence-reader).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef SIGNAL
#define fence atomic_signal_fence
#else
#define fence atomic_thread_fence
#endif

static int data;
static atomic_int flag;

static void *writer(void *unused) {
  data = 1;  // @write
#ifndef NO_RELEASE
  fence(memory_order_release);
#endif
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
#ifndef NO_ACQUIRE
    fence(memory_order_acquire);
#endif
    assert(data == 1);  // @read
  }
  pthread_join(thread, 0);
  return 0;
}
