//! rc20: verified
//! armv8: verified test=what_is_pushed_is_popped

#include <heddle/test.h>

#include "queue.h"

HEDDLE_TEST(what_is_pushed_is_popped) {
  Queue<int, 2> queue;
  heddle::threads([&] { heddle_assert(queue.push(7)); },
                  [&] {
                    if (const auto value = queue.pop()) heddle_assert(*value == 7);
                  });
}

HEDDLE_TEST(first_in_first_out) {
  Queue<int, 2> queue;
  heddle::threads(
      [&] {
        for (int i = 1; i <= 3; ++i) queue.push(i);
      },
      [&] {
        int last = 0;
        for (int i = 0; i < 3; ++i) {
          if (const auto value = queue.pop()) {
            heddle_assert(*value > last);
            last = *value;
          }
        }
      });
}

HEDDLE_TEST(a_full_queue_says_so) {
  Queue<int, 1> queue;
  bool pushed = false, popped = false;
  heddle_assert(queue.push(1));
  heddle::threads([&] { pushed = queue.push(2); }, [&] { popped = queue.pop().has_value(); });
  heddle_assert(popped);
  heddle_assert(queue.pop().has_value() == pushed);
}
