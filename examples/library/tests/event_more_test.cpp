//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/event.h"

HEDDLE_TEST(outcomes) {
  strand::Event first, second;
  int a = 0, b = 0;
  heddle::threads(
      [&] {
        first.set();
        second.set();
      },
      [&] {
        b = second.isSet() ? 1 : 0;
        a = first.isSet() ? 1 : 0;
      });
  HEDDLE_OUTCOMES(a, b).allowed({0, 0}).allowed({1, 1}).interesting({1, 0}, "between the two").forbidden({0, 1});
}
