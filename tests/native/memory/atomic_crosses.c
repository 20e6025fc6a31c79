//! rc20: error=use-after-free line=@use flags="-- -DFREED"
//! rc20: error=wild-pointer line=@use flags="-- -DWILD"
//! rc20: error=null-pointer line=@use flags="-- -DNULLP"
//! rc20: error=out-of-bounds line=@use flags="-- -DOUTSIDE"
//! rc20: error=dead-frame line=@use flags="-- -DLOCAL"
//! rc20: error=unsupported line=@use text="crosses a 16-byte boundary"
// An atomic access that crosses a 16-byte boundary is not supported. If the memory is not there, that is said instead.
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static char* localOf(void) {
  char bytes[64];
  char* volatile address = bytes;
  return address;
}

int main(void) {
  char* memory = calloc(32, 1);
#if defined(FREED)
  free(memory);
#elif defined(WILD)
  memory = (char*)(uintptr_t)0x123456700;
#elif defined(NULLP)
  memory = 0;
#elif defined(OUTSIDE)
  memory += 16;
#elif defined(LOCAL)
  memory = localOf();
#endif
  _Atomic uint64_t* number = (_Atomic uint64_t*)(memory + 12);
  return atomic_fetch_add(number, 1) == 0;  // @use
}
