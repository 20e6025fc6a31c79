//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/published.h"

HEDDLE_TEST(two_readers) {
  strand::Published<int> published;
  int value = 0;
  const auto read = [&] {
    if (const int* seen = published.get()) heddle_assert(*seen == 5);
  };
  heddle::threads(
      [&] {
        value = 5;
        published.publish(&value);
      },
      read, read);
}
