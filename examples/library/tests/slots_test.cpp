//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/slots.h"

HEDDLE_TEST(nobody_shares) {
  strand::Slots slots;
  int first = -1, second = -1;
  heddle::threads([&] { first = slots.take(); }, [&] { second = slots.take(); });
  heddle_assert(first >= 0 && second >= 0 && first != second);
}
