//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/ref_count.h"

HEDDLE_TEST(freed_once) {
  strand::RefCount count;
  count.acquire();
  int* const data = new int(0);
  const auto owner = [&](int value) {
    if (value != 0) *data = value;
    if (count.release()) delete data;
  };
  heddle::threads([&] { owner(1); }, [&] { owner(0); });
}
