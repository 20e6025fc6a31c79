//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/event.h"

HEDDLE_TEST(what_was_before_is_seen) {
  strand::Event event;
  int data = 0;
  heddle::threads(
      [&] {
        data = 1;
        event.set();
      },
      [&] {
        if (event.isSet()) heddle_assert(data == 1);
      });
}
