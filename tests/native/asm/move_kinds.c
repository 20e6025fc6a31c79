//! rc20: verified executions=1 blocked=0
//! rc20: error=out-of-bounds line=@beyond flags="-- -DBEYOND"
// mov of all widths, of pointers and floating-point numbers, and with an offset.
#include <assert.h>
#include <stdint.h>

struct Pair {
  uint64_t first, second;
};

int main(void) {
  uint8_t byte = 0, byteRead;
  uint16_t half = 0, halfRead;
  __asm__ volatile("movb %1, %0" : "=m"(byte) : "iq"((uint8_t)0x9a) : "memory");
  __asm__ volatile("movb %1, %0" : "=q"(byteRead) : "m"(byte) : "memory");
  assert(byteRead == 0x9a);
  __asm__ volatile("movw %1, %0" : "=m"(half) : "ir"((uint16_t)0xbeef) : "memory");
  __asm__ volatile("movw %1, %0" : "=r"(halfRead) : "m"(half) : "memory");
  assert(halfRead == 0xbeef);

  int object = 5;
  int *pointer = 0, *read;
  __asm__ volatile("movq %1, %0" : "=m"(pointer) : "r"(&object) : "memory");
  __asm__ volatile("movq %1, %0" : "=r"(read) : "m"(pointer) : "memory");
  assert(*read == 5);

  struct Pair pair = {1, 2};
  uint64_t second;
  __asm__ volatile("movq 8(%1), %0" : "=r"(second) : "r"(&pair) : "memory");
  assert(second == 2);
  __asm__ volatile("movq $7, 8(%0)" : : "r"(&pair) : "memory");
  assert(pair.second == 7);
#ifdef BEYOND
  __asm__ volatile("movq 16(%1), %0" : "=r"(second) : "r"(&pair) : "memory");  // @beyond
#endif

  // Through a register that is only clobbered.
  uint32_t from = 42, to = 0;
  __asm__ volatile("movl %1, %%eax\n\tmovl %%eax, %0" : "=m"(to) : "m"(from) : "eax", "memory");
  assert(to == 42);
  return 0;
}
