// A function pointer overwritten by a copy that is too long.
//! outcome: error wild-call
#include <string.h>
struct { char name[8]; void (*act)(void); } object;
static void harmless(void) {}
int main(void) {
  char input[16];
  memset(input, 0x41, sizeof input);
  object.act = harmless;
  memcpy(&object, input, sizeof input);
  object.act();
}
