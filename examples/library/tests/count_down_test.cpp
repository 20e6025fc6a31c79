//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/count_down.h"

HEDDLE_TEST(work_is_seen) {
  strand::CountDown done(1);
  int work = 0;
  heddle::threads(
      [&] {
        work = 7;
        done.arrive();
      },
      [&] {
        done.wait();
        heddle_assert(work == 7);
      });
}
