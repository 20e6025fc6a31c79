//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/published.h"

HEDDLE_TEST(complete_or_not_there) {
  strand::Published<int> published;
  int value = 0;
  heddle::threads(
      [&] {
        value = 5;
        published.publish(&value);
      },
      [&] {
        if (const int* seen = published.get()) heddle_assert(*seen == 5);
      });
}
