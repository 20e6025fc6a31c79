//! rc20: verified executions=1
// Type punning by a union, by memcpy and by char pointers.
#include <assert.h>
#include <stdint.h>
#include <string.h>

union number {
  double value;
  uint64_t bits;
  uint8_t bytes[8];
};

int main(void) {
  union number number;
  number.value = 1.0;
  assert(number.bits == 0x3ff0000000000000u && number.bytes[7] == 0x3f);
  float f = -2.0f;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  assert(bits == 0xc0000000u);
  const unsigned char *bytes = (const unsigned char *)&f;
  assert(bytes[3] == 0xc0 && bytes[0] == 0);
  long double wide = 1.5L;
  long double *volatile escaped = &wide;
  assert(*escaped * 2 == 3.0L);
  return 0;
}
