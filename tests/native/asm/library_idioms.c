//! rc20,sc: verified executions=2 blocked=0
// Read-modify-writes and hints in the ways in which libraries write them, from two threads.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static uint64_t counter, bits;
static uint32_t word;

static int incrementIsZero(uint64_t *target) {
  unsigned char zero;
  __asm__ volatile("lock incq %0; setz %1" : "+m"(*target), "=q"(zero) : : "memory", "cc");
  return zero;
}
static int setBit(uint64_t *target, unsigned bit) {
  unsigned char was;
  __asm__ volatile("lock btsq %2, %0; setc %1" : "+m"(*target), "=q"(was) : "q"((uint64_t)bit) : "memory", "cc");
  return was;
}
// The location both as an output and as an input.
static int64_t exchangeIf(volatile int64_t *target, int64_t value, int64_t expected) {
  int64_t result;
  __asm__ volatile("lock\ncmpxchgq %2,%1"
                   : "=a"(result), "=m"(*target)
                   : "q"(value), "0"(expected), "m"(*target)
                   : "memory");
  return result;
}
static uint32_t addReturn(uint32_t *target, uint32_t value) {
  uint32_t result = value;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(result) : "m"(*target) : "memory");
  return result + value;
}
static inline void prefetch(const void *address) { __asm__ volatile("prefetcht0 %0" : : "m"(*(const char *)address)); }

static void *work(void *unused) {
  prefetch(&word);
  addReturn(&word, 2);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  addReturn(&word, 3);
  pthread_join(thread, NULL);
  assert(word == 5 && addReturn(&word, 1) == 6);
  counter = UINT64_MAX;
  assert(incrementIsZero(&counter) && !incrementIsZero(&counter));
  assert(!setBit(&bits, 40) && setBit(&bits, 40) && bits == 1ull << 40);
  int64_t target = 5;
  assert(exchangeIf(&target, 6, 4) == 5 && target == 5 && exchangeIf(&target, 6, 5) == 5 && target == 6);
  return 0;
}
