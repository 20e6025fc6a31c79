//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DCLWB"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DCLFLUSHOPT"
//! tso: error=recovery line=@order flags="--persistency px86 -- -DCLFLUSHOPT_BY_PREFIX"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DCLWB_BY_PREFIX"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DCLFLUSH"
//! tso: error=recovery line=@order flags="--persistency px86 -- -DSTREAM"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DSTREAM_AND_WAIT"
//! tso: error=recovery line=@order flags="--persistency px86 -- -DMOVNTI"
//! tso: verified executions=3 blocked=0 flags="--persistency px86 -- -DMOVNTI_AND_WAIT"
// Flushes in inline assembly, also as old assemblers need them; streaming stores; and the names that GenMC has for recovery and for what has
// persisted.
#include <heddle/heddle.h>
#include <immintrin.h>

HEDDLE_PERSISTENT struct {
  int x;
  int y __attribute__((aligned(64)));
} p;

void __VERIFIER_pbarrier(void);

int main(void) {
  p.x = 5;
  p.y = 5;
  __VERIFIER_pbarrier();
#if defined STREAM || defined STREAM_AND_WAIT
  _mm_stream_si32(&p.x, 1);
#elif defined MOVNTI || defined MOVNTI_AND_WAIT
  __asm__ volatile("movnti %1, %0" : "=m"(p.x) : "r"(1));
#else
  p.x = 1;
#endif
#if defined CLWB
  __asm__ volatile("clwb %0" : "+m"(*(volatile char *)&p.x));
  __asm__ volatile("sfence" ::: "memory");
#elif defined CLFLUSHOPT
  __asm__ volatile("clflushopt %0" : "+m"(*(volatile char *)&p.x));
  __asm__ volatile("mfence" ::: "memory");
#elif defined CLFLUSHOPT_BY_PREFIX
  __asm__ volatile(".byte 0x66; clflush %0" : "+m"(*(volatile char *)&p.x));  // nobody waits for it
#elif defined CLWB_BY_PREFIX
  __asm__ volatile(".byte 0x66; xsaveopt %0" : "+m"(*(volatile char *)&p.x));
  _mm_sfence();
#elif defined CLFLUSH
  __asm__ volatile("clflush (%0)" ::"r"(&p.x) : "memory");
#elif defined STREAM_AND_WAIT || defined MOVNTI_AND_WAIT
  _mm_sfence();
#endif
  p.y = 1;
  return 0;
}

void __VERIFIER_recovery_routine(void) {
  int y = p.y, x = p.x;
  heddle_assert(x != 0 && y != 0);  // recovery sees nothing older than the barrier
  heddle_assert(y == 5 || x == 1);  // @order
}
