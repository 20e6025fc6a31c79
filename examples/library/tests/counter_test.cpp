//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/counter.h"

HEDDLE_TEST(all_is_counted) {
  strand::Counter<2> counter;
  heddle::threads([&] { counter.add(0, 1); }, [&] { counter.add(1, 2); });
  heddle_assert(counter.sum() == 3);
}
