// A system call in assembly.
//! outcome: unsupported unsupported
int main(void) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(83), "D"("/tmp/heddle-hostile"), "S"(0777) : "rcx", "r11", "memory");
  return (int)result;
}
