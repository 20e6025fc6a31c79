//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/spsc_ring.h"

HEDDLE_TEST(in_order) {
  strand::SpscRing<2> ring;
  heddle::threads(
      [&] {
        heddle_assert(ring.push(1));
        heddle_assert(ring.push(2));
      },
      [&] {
        int value = 0;
        int last = 0;
        for (int i = 0; i < 2; ++i) {
          if (!ring.pop(value)) continue;
          heddle_assert(value == last + 1);
          last = value;
        }
      });
}
