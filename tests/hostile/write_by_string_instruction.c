// A string instruction that writes to the shadow memory.
//! outcome: unsupported unsupported
int main(void) {
  void *to = (void *)0x300000001000;
  unsigned long count = 512;
  __asm__ volatile("rep stosq" : "+D"(to), "+c"(count) : "a"(0) : "memory");
}
