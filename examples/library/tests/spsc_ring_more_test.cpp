//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/spsc_ring.h"

HEDDLE_TEST(full_and_empty) {
  strand::SpscRing<1> ring;
  int pushed = 0, popped = 0;
  heddle::threads([&] { pushed = ring.push(1) + ring.push(2); },
                  [&] {
                    int value = 0;
                    popped = ring.pop(value) + ring.pop(value);
                  });
  int left = 0;
  int value = 0;
  while (ring.pop(value)) ++left;
  heddle_assert(pushed == popped + left);
}
