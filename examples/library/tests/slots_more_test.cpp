//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/slots.h"

HEDDLE_TEST(taken_again) {
  strand::Slots slots;
  int data[8] = {};
  const auto use = [&] {
    const int slot = slots.take();
    heddle_assert(slot >= 0);
    ++data[slot];
    slots.give(slot);
  };
  heddle::threads(use, use);
  heddle_assert(data[0] + data[1] == 2);
}
