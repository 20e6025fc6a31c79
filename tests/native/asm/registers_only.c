//! rc20: verified executions=1 blocked=0
//! rc20: error=unsupported line=@stack text="does not understand: movq %rsp" flags="-- -DSTACK"
// Assembly that computes in registers runs as it is.
#include <assert.h>
#include <stdint.h>

static int highest(uint32_t value) {
  int bit;
  __asm__("bsrl %1, %0" : "=r"(bit) : "rm"(value) : "cc");
  return bit;
}
static int lowest(uint64_t value) {
  long bit;
  __asm__("bsfq %1, %0" : "=r"(bit) : "r"(value) : "cc");
  return (int)bit;
}
static int highestOrMinusOne(uint32_t value) {
  int bit;
  __asm__ volatile(
      "bsrl %1, %0\n\t"
      "jnz 1f\n\t"
      "movl $-1, %0\n"
      "1:"
      : "=r"(bit)
      : "r"(value)
      : "cc");
  return bit;
}
static int firstOrZero(uint32_t value) {
  int bit;
  __asm__ volatile(
      "bsfl %1, %0\n\t"
      "jnz 1f\n\t"
      "xorl %0, %0\n\t"
      "jmp 2f\n"
      "1: incl %0\n"
      "2: nop"
      : "=r"(bit)
      : "r"(value)
      : "cc");
  return bit;
}
static uint64_t product(uint64_t a, uint64_t b, uint64_t *high) {
  uint64_t low;
  __asm__("mulq %3" : "=a"(low), "=d"(*high) : "%0"(a), "rm"(b) : "cc");
  return low;
}
static uint32_t rotate(uint32_t value, unsigned char by) {
  __asm__("roll %%cl, %0" : "+r"(value) : "c"(by) : "cc");
  return value;
}
static uint64_t swap(uint64_t value) {
  __asm__("bswapq %0" : "+r"(value));
  return value;
}
static uint64_t address(uint64_t base, uint64_t index) {
  uint64_t result;
  __asm__("leaq 5(%1,%2,4), %0" : "=r"(result) : "r"(base), "r"(index));
  return result;
}

int main(void) {
  assert(highest(0x00500000) == 22 && lowest(0x00500000) == 20);
  assert(highestOrMinusOne(0) == -1 && highestOrMinusOne(9) == 3);
  assert(firstOrZero(0) == 0 && firstOrZero(12) == 3);
  uint64_t high;
  assert(product(1ull << 63, 6, &high) == 0 && high == 3);
  assert(rotate(0x80000001, 4) == 0x18);
  assert(swap(0x0102030405060708) == 0x0807060504030201);
  assert(address(100, 3) == 117);
  uint64_t large;
  __asm__("movabsq $0x1122334455667788, %0" : "=r"(large));
  assert(large == 0x1122334455667788);
  int number = 3;
  __asm__ volatile("" : "+r"(number));
  assert(number == 3);
#ifdef STACK
  uint64_t stack;
  __asm__ volatile("movq %%rsp, %0" : "=r"(stack));  // @stack
  assert(stack != 0);
#endif
  return 0;
}
