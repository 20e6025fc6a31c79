//! rc20: error=unsupported line=@copy text="does not understand: rep movsb"
// Instructions with operands in memory that their text does not show.
#include <assert.h>

int main(void) {
  char from[4] = "abc", to[4] = "";
  void *source = from, *target = to;
  unsigned long count = 4;
  __asm__ volatile("rep movsb" : "+S"(source), "+D"(target), "+c"(count) : : "memory");  // @copy
  assert(to[2] == 'c');
  return 0;
}
