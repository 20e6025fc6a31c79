// A write to each gigabyte of the first 128, and to each terabyte.
//! outcome: error wild-pointer
#include <heddle/heddle.h>
int main(void) {
  unsigned n = (unsigned)heddle_choose(256);
  unsigned long address = n < 128 ? (unsigned long)n << 30 | 0x1000 : (unsigned long)(n - 128) << 40 | 0x1000;
  *(volatile long *)address = 1;
}
