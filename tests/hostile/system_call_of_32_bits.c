// A system call by an interrupt.
//! outcome: unsupported unsupported
int main(void) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(39), "b"("/tmp/heddle-hostile"), "c"(0777) : "memory");
  return (int)result;
}
