//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/mpsc_queue.h"

HEDDLE_TEST(two_producers) {
  strand::MpscQueue queue;
  strand::MpscQueue::Node a, b;
  a.value = 1;
  b.value = 2;
  heddle::threads([&] { queue.push(a); }, [&] { queue.push(b); });
  int sum = 0;
  while (const auto* node = queue.pop()) sum += node->value;
  heddle_assert(sum == 3);
}
