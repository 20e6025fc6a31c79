// A call of machine code in the heap.
//! outcome: error wild-call
#include <stdlib.h>
#include <string.h>
int main(void) {
  static const unsigned char code[] = {0xb8, 0x53, 0, 0, 0, 0x0f, 0x05, 0xc3};  // mov eax, mkdir; syscall; ret
  void *memory = malloc(sizeof code);
  memcpy(memory, code, sizeof code);
  ((void (*)(const char *, int))memory)("/tmp/heddle-hostile", 0777);
}
