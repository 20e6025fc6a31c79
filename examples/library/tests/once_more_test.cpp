//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/once.h"

HEDDLE_TEST(three_threads) {
  strand::Once once;
  int value = 0;
  const auto use = [&] {
    once.call([&] { ++value; });
    heddle_assert(value == 1);
  };
  heddle::threads(use, use, use);
}
