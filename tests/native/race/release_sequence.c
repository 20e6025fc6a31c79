//! rc11,c11-orig: verified executions=10 blocked=0
//! rc20,sc,tso,ra,mca-no-lb: error=data-race line=@write|@read
//! rc20,rc11,c11-orig,sc: verified executions=10 blocked=0 flags="-- -DFIRST"
//! rc20,rc11,c11-orig,sc: error=data-race line=@read flags="-- -DLATE"
// Plain data behind a release store that a relaxed store of the same thread to the same location follows, with an update
// of another thread in between: it is of the release sequence as RC11 was published, and not since C++20.
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIRST  // the release store itself is read
#define SEEN 1
#else
#define SEEN 3
#endif

int data;
atomic_int flag;

void* writer(void* unused) {
  data = 1;  // @write
  atomic_store_explicit(&flag, 1, memory_order_release);
#ifdef LATE  // not before the release
  data = 2;
#endif
  atomic_store_explicit(&flag, 3, memory_order_relaxed);
  return unused;
}

void* updater(void* unused) {
  int one = 1;
  atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, updater, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire) == SEEN && data == 0) __builtin_trap();  // @read
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
