//! rc20: verified executions=2 flags="-- -DNONE"
//! rc20: error=wrong-annotation line=@whole text="marked as local" flags="-- -DLOCAL"
//! rc20: error=wrong-annotation line=@half|@other text="final" flags="-- -DFINAL"
// Annotations where accesses overlap in part: it is the bytes that count.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic uint32_t word;
  _Atomic uint16_t half[2];
} u;

static void *writes(void *unused) {
#ifdef LOCAL
  heddle_local(atomic_store_explicit(&u.half[0], 1, memory_order_relaxed));
#elif defined(FINAL)
  heddle_final(atomic_store_explicit(&u.half[0], 1, memory_order_relaxed));  // @half
#else
  heddle_final(atomic_store_explicit(&u.half[0], 1, memory_order_relaxed));
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writes, 0);
#ifdef FINAL
  atomic_store_explicit(&u.word, 2, memory_order_relaxed);  // @other
#elif defined(LOCAL)
  (void)atomic_load_explicit(&u.word, memory_order_relaxed);  // @whole
#else
  atomic_store_explicit(&u.half[1], 2, memory_order_relaxed);
  (void)atomic_load_explicit(&u.word, memory_order_relaxed);
#endif
  pthread_join(thread, 0);
  return 0;
}
