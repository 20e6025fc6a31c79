//! rc20: verified executions=1 text="rdtsc gave one fixed sequence of times"
// The cycle counter only grows, in assembly and as an intrinsic, and a loop that waits for it ends.
#include <assert.h>
#include <stdint.h>
#include <x86intrin.h>

static uint64_t halves(void) {
  uint32_t low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t)high << 32 | low;
}
static uint64_t together(void) {
  uint64_t cycles;
  __asm__ volatile("lfence; rdtsc; shlq $32, %%rdx; orq %%rdx, %0" : "=a"(cycles) : : "rdx", "memory");
  return cycles;
}
static uint64_t withProcessor(void) {
  uint32_t low, high, processor;
  __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
  assert(processor == 0);
  return (uint64_t)high << 32 | low;
}

int main(void) {
  uint64_t before = halves();
  uint64_t next[6];
  next[0] = together();
  next[1] = withProcessor();
  next[2] = __rdtsc();
  next[3] = __builtin_ia32_rdtsc();
  next[4] = __builtin_readcyclecounter();
  unsigned processor;
  next[5] = __rdtscp(&processor);
  for (int i = 0; i < 6; ++i) {
    assert(next[i] > before);
    before = next[i];
  }
  while (__rdtsc() < before + 1000000000) __asm__ volatile("pause");
  return 0;
}
