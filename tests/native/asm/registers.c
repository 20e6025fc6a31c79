//! rc20: verified executions=1 blocked=0
//! rc20: error=unsupported line=@error text="does not understand" flags="-- -DREST"
// Registers that are used twice, by another number or by name, and in part. REST: what the other bytes of a register hold is
// anything.
#include <assert.h>

int main(void) {
  int word = 10, value = 5;
  __asm__ volatile("lock; xaddl %0, %1; lock; xaddl %0, %1" : "+r"(value), "+m"(word));
  assert(value == 15 && word == 25);
  __asm__ volatile("xchgl %0, %1; xchgl %0, %1" : "+r"(value), "+m"(word));
  assert(value == 15 && word == 25);

  // The same register as an output, by its number and by name.
  int old;
  word = 3;
  __asm__ volatile("lock; xaddl %2, %1; lock; xaddl %0, %1" : "=r"(old), "+m"(word) : "0"(4));
  assert(old == 7 && word == 10);
  int accumulator = 9;
  __asm__ volatile("lock; xaddl %%eax, %1" : "+a"(accumulator), "+m"(word));
  assert(accumulator == 10 && word == 19);
  register int named __asm__("ebx") = 3;
  __asm__ volatile("xchgl %%ebx, %1" : "+r"(named), "+m"(word));
  assert(named == 19 && word == 3);

  // One or two bytes leave the others as they are, four clear the upper half.
  unsigned part = 0x11223344;
  unsigned char byte = 0xaa;
  unsigned short half = 0xbeef;
  __asm__ volatile("xchgb %b0, %1" : "+q"(part), "+m"(byte));
  assert(part == 0x112233aa && byte == 0x44);
  __asm__ volatile("xchgb %h0, %1" : "+Q"(part), "+m"(byte));
  assert(part == 0x112244aa && byte == 0x33);
  __asm__ volatile("xchg %w0, %1" : "+r"(part), "+m"(half));
  assert(part == 0x1122beef && half == 0x44aa);
  unsigned long whole = 0x1111111122222222;
  __asm__ volatile("xchgl %k0, %1" : "+r"(whole), "+m"(word));
  assert(whole == 3 && word == 0x22222222);
  int flag = 0x7f00, memory = -1;
  word = 1;
  __asm__ volatile("lock; decl %2; sete %b0; sete %1" : "+q"(flag), "+m"(memory), "+m"(word));
  assert(flag == 0x7f01 && memory == (int)0xffffff01);

  // cmpxchg compares with the accumulator and loads it.
  int expected = 5;
  word = 6;
  __asm__ volatile("lock; cmpxchgl %2, %1; lock; cmpxchgl %2, %1" : "+a"(expected), "+m"(word) : "r"(8));
  assert(expected == 6 && word == 8);
  unsigned long wide = 0xffffffff00000000;
  byte = 3;
  __asm__ volatile("lock; cmpxchgb %b2, %1" : "+a"(wide), "+m"(byte) : "q"(8));
  assert(wide == 0xffffffff00000003 && byte == 3);
#ifdef REST
  int unknown;
  __asm__ volatile("lock; decl %1; sete %b0" : "=q"(unknown), "+m"(word));  // @error
  return unknown;
#endif
  return 0;
}
