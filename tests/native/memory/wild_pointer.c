//! rc20: error=wild-pointer line=@read
//! rc20: error=wild-pointer line=@read flags="-- -DADDRESS=0x7fffffff0000"
//! rc20: error=wild-pointer line=@read flags="-- -DADDRESS=0xffffffffffff0000"
//! rc20: verified executions=1 flags="-- -DROUND_TRIP"
// A number that is no address of anything. ROUND_TRIP: one that is.
#include <stdint.h>

#ifndef ADDRESS
#define ADDRESS 0x12345678
#endif

static int object;

int main(void) {
#ifdef ROUND_TRIP
  volatile uintptr_t number = (uintptr_t)&object;
#else
  volatile uintptr_t number = ADDRESS;
#endif
  return *(int *)number;  // @read
}
