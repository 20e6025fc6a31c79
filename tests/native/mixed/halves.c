//! sc,tso,ra,ra-msa,rc20,rc11: verified executions=3
//! rc20: error=assertion-failure line=@seen flags="-- -DBUG"
// A thread writes two parts of a word, another reads the whole: it sees none, the first, or both, and never the second
// alone, because a read takes its bytes at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint64_t word;

static void *writer(void *unused) {
  atomic_store_explicit((atomic_uint *)&word, 1, memory_order_relaxed);
  atomic_store_explicit((atomic_ushort *)&word + 3, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  const uint64_t seen = atomic_load_explicit(&word, memory_order_relaxed);
#ifdef BUG
  assert(seen != 0x1000000000001);  // @seen
#else
  assert(seen == 0 || seen == 1 || seen == 0x1000000000001);
#endif
  pthread_join(thread, 0);
}
