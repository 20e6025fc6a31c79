//! tso: verified executions=4 blocked=0 flags="--persistency px86 -- -DROW=1"
//! tso: error=recovery line=@late flags="--persistency px86 -- -DROW=1 -DASSERT"
//! tso: verified executions=4 blocked=0 flags="--persistency px86 -- -DROW=2"
//! tso: error=recovery line=@late flags="--persistency px86 -- -DROW=2 -DASSERT"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DROW=3"
//! tso: verified executions=3 flags="--persistency px86 -- -DROW=3 -DASSERT"
//! tso: verified executions=4 blocked=0 flags="--persistency px86 --granularity location -- -DROW=3"
//! tso: error=recovery line=@late flags="--persistency px86 --granularity location -- -DROW=3 -DASSERT"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DROW=4"
//! tso: verified executions=3 flags="--persistency px86 -- -DROW=4 -DASSERT"
//! tso: verified executions=4 blocked=0 flags="--persistency px86 -- -DROW=5"
//! tso: error=recovery line=@late flags="--persistency px86 -- -DROW=5 -DASSERT"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DROW=6"
//! tso: verified executions=3 flags="--persistency px86 -- -DROW=6 -DASSERT"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DROW=7"
//! tso: verified executions=3 flags="--persistency px86 -- -DROW=7 -DASSERT"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DROW=8"
//! tso: verified executions=3 flags="--persistency px86 -- -DROW=8 -DASSERT"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DROW=9"
//! tso: verified executions=3 flags="--persistency px86 -- -DROW=9 -DASSERT"
//! tso: verified executions=4 blocked=0 flags="--persistency px86 -- -DROW=10"
//! tso: error=recovery line=@late flags="--persistency px86 -- -DROW=10 -DASSERT"
//! tso: verified executions=4 blocked=0 flags="--persistency px86 -- -DROW=11"
//! tso: error=recovery line=@late flags="--persistency px86 -- -DROW=11 -DASSERT"
// Px86, one thread: the later write without the earlier one, and how many executions there are with recovery. x and z are on one cache
// line, y is on another.
#include <heddle/heddle.h>
#include <immintrin.h>
#include <stdatomic.h>

HEDDLE_PERSISTENT struct {
  int x, z;
} line;
HEDDLE_PERSISTENT int y;
static atomic_int counter;
#define x line.x
#define z line.z

int main(void) {
  (void)counter;
#if ROW == 1
  x = 1;
  y = 1;
#elif ROW == 2
  x = 1;
  _mm_sfence();
  y = 1;
#elif ROW == 3
  x = 1;
  z = 1;
#elif ROW == 4
  x = 1;
  _mm_clflush(&x);
  y = 1;
#elif ROW == 5
  x = 1;
  _mm_clwb(&x);
  y = 1;
#elif ROW == 6
  x = 1;
  _mm_clwb(&x);
  _mm_sfence();
  y = 1;
#elif ROW == 7
  x = 1;
  _mm_clflushopt(&x);
  _mm_mfence();
  y = 1;
#elif ROW == 8
  x = 1;
  _mm_clwb(&z);
  _mm_sfence();
  y = 1;
#elif ROW == 9
  x = 1;
  _mm_clwb(&x);
  atomic_fetch_add(&counter, 1);
  y = 1;
#elif ROW == 10
  _mm_clwb(&x);
  _mm_sfence();
  x = 1;
  y = 1;
#elif ROW == 11
  x = 1;
  _mm_clwb(&y);
  _mm_sfence();
  y = 1;
#endif
  return 0;
}

void heddle_recovery(void) {
#if ROW == 3
  int late = z, early = x;
#else
  int late = y, early = x;
#endif
#ifdef ASSERT
  heddle_assert(!late || early);  // @late
#else
  (void)late;
  (void)early;
#endif
}
