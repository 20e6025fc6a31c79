//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/counter.h"

HEDDLE_TEST(a_sum_while_others_count) {
  strand::Counter<2> counter;
  int sum = 0;
  heddle::threads([&] { counter.add(0, 1); }, [&] { counter.add(1, 2); }, [&] { sum = counter.sum(); });
  HEDDLE_OUTCOMES(sum).allowed({0}).allowed({1}).allowed({2}).allowed({3});
}
