//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/ref_count.h"

HEDDLE_TEST(three_owners) {
  strand::RefCount count;
  count.acquire();
  count.acquire();
  int last = 0;
  std::atomic<int> cleanups{0};
  const auto owner = [&] {
    if (!count.release()) return;
    ++last;
    cleanups.fetch_add(1, std::memory_order_relaxed);
  };
  heddle::threads(owner, owner, owner);
  heddle_assert(last == 1 && cleanups == 1);
}
