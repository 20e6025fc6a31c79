//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/treiber_stack.h"

HEDDLE_TEST(what_is_popped_is_complete) {
  strand::TreiberStack stack;
  strand::TreiberStack::Node a, b;
  a.value = b.value = 0;
  int sum = 0;
  heddle::threads(
      [&] {
        a.value = 1;
        stack.push(a);
        b.value = 1;
        stack.push(b);
      },
      [&] {
        for (const auto* node = stack.popAll(); node != nullptr; node = node->next) sum += node->value;
      });
  for (const auto* node = stack.popAll(); node != nullptr; node = node->next) sum += node->value;
  heddle_assert(sum == 2);
}
