//! tso: verified executions=8 blocked=0 flags="--persistency px86 -- -DROW=1"
//! tso: error=recovery line=@late flags="--persistency px86 -- -DROW=1 -DASSERT"
//! tso: verified executions=8 blocked=0 flags="--persistency px86 -- -DROW=2"
//! tso: error=recovery line=@late flags="--persistency px86 -- -DROW=2 -DASSERT"
//! tso: verified executions=7 blocked=0 flags="--persistency px86 -- -DROW=3"
//! tso: verified executions=5 flags="--persistency px86 -- -DROW=3 -DASSERT"
//! tso: verified executions=7 blocked=0 flags="--persistency px86 -- -DROW=4"
//! tso: verified executions=5 flags="--persistency px86 -- -DROW=4 -DASSERT"
//! tso: verified executions=7 blocked=0 flags="--persistency px86 -- -DROW=5"
//! tso: verified executions=5 flags="--persistency px86 -- -DROW=5 -DASSERT"
//! tso: verified executions=15 blocked=0 flags="--persistency px86 -- -DROW=6"
//! tso: verified executions=15 flags="--persistency px86 -- -DROW=6 -DASSERT"
//! tso: verified executions=16 blocked=0 flags="--persistency px86 -- -DROW=7"
//! tso: error=recovery line=@late flags="--persistency px86 -- -DROW=7 -DASSERT"
// Px86, two threads: y without x although the writer of y has read x, or what follows x; and, in the last two rows, a and b without x and
// y. Where executions are counted the second thread writes y whatever it has read.
#include <heddle/heddle.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>

HEDDLE_PERSISTENT atomic_int x, y, b;
#if ROW >= 6
HEDDLE_PERSISTENT atomic_int a;
#else
atomic_int a;
#endif

#define SET(variable) atomic_store_explicit(&variable, 1, memory_order_relaxed)
#define GET(variable) atomic_load_explicit(&variable, memory_order_relaxed)
#ifdef ASSERT
#define IF(condition) if (condition)
#else
#define IF(condition) (void)condition;
#endif

static void *second(void *unused) {
#if ROW == 1
  int r = GET(x);
  IF(r) SET(y);
#elif ROW == 2
  int r = GET(x);
  IF(r) SET(y);
#elif ROW == 3
  int r = GET(x);
  _mm_clflush((void *)&x);
  IF(r) SET(y);
#elif ROW == 4
  int r = GET(x);
  _mm_clwb((void *)&x);
  _mm_sfence();
  IF(r) SET(y);
#elif ROW == 5
  int r = GET(a);
  IF(r) SET(y);
#elif ROW == 6
  SET(x);
  _mm_clflush((void *)&y);
  SET(b);
#elif ROW == 7
  SET(x);
  _mm_clwb((void *)&y);
  _mm_sfence();
  SET(b);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
#if ROW == 1
  SET(x);
#elif ROW == 2
  SET(x);
  _mm_clwb((void *)&x);
  _mm_sfence();
#elif ROW == 3
  SET(x);
#elif ROW == 4
  SET(x);
#elif ROW == 5
  SET(x);
  _mm_clwb((void *)&x);
  _mm_sfence();
  SET(a);
#elif ROW == 6
  SET(y);
  _mm_clflush((void *)&x);
  SET(a);
#elif ROW == 7
  SET(y);
  _mm_clwb((void *)&x);
  _mm_sfence();
  SET(a);
#endif
  pthread_join(thread, 0);
  return 0;
}

void heddle_recovery(void) {
#if ROW >= 6
  int late = GET(a) & GET(b), early = GET(x) | GET(y);
#else
  int late = GET(y), early = GET(x);
#endif
#ifdef ASSERT
  heddle_assert(!late || early);  // @late
#else
  (void)late;
  (void)early;
#endif
}
