// A jump buffer that the program has written.
//! outcome: error misuse
#include <setjmp.h>
#include <string.h>
static jmp_buf buffer;
int main(void) {
  if (setjmp(buffer)) return 0;
  memset(&buffer, 0x41, sizeof buffer);
  longjmp(buffer, 1);
}
