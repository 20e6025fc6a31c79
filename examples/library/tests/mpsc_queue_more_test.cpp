//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/mpsc_queue.h"

HEDDLE_TEST(in_the_order_of_the_producer) {
  strand::MpscQueue queue;
  strand::MpscQueue::Node a, b;
  int seen = 0;
  heddle::threads(
      [&] {
        a.value = 1;
        queue.push(a);
        b.value = 2;
        queue.push(b);
      },
      [&] {
        for (int i = 0; i < 2; ++i) {
          const auto* node = queue.pop();
          if (node == nullptr) continue;
          heddle_assert(node->value == seen + 1);
          seen = node->value;
        }
      });
}
