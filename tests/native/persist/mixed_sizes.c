//! sc: verified executions=4 blocked=0 flags="--persistency strict"
//! sc: error=recovery line=@known flags="--persistency weakest"
//! sc: verified executions=5 blocked=0 flags="--persistency weakest -- -DWEAK"
//! tso: verified executions=4 blocked=0 flags="--persistency px86"
// A word that is written as a whole and in parts. Each write persists as a whole; the two parts persist in order only if that is promised.
#include <heddle/heddle.h>

HEDDLE_PERSISTENT union {
  unsigned long word;
  unsigned half[2];
  unsigned char byte[8];
} x;

int main(void) {
  x.word = 0x1122334455667788ul;
  x.half[1] = 0xaabbccdd;
  x.byte[0] = 0x99;
  return 0;
}

void heddle_recovery(void) {
  unsigned long word = x.word;
  unsigned half = x.half[1];
  heddle_assert(word >> 32 == half);
  int weak = 0;
#ifdef WEAK
  weak = word == 0x1122334455667799ul;
#endif
  int first = word == 0 || word == 0x1122334455667788ul;
  heddle_assert(weak || first || word == 0xaabbccdd55667788ul || word == 0xaabbccdd55667799ul);  // @known
  heddle_assert(x.byte[7] == (unsigned char)(word >> 56));
}
