//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/count_down.h"

HEDDLE_TEST(work_of_two_is_seen) {
  strand::CountDown done(2);
  int first = 0, second = 0;
  heddle::threads(
      [&] {
        first = 1;
        done.arrive();
      },
      [&] {
        second = 2;
        done.arrive();
      },
      [&] {
        done.wait();
        heddle_assert(first + second == 3);
      });
}
