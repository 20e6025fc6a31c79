//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/treiber_stack.h"

HEDDLE_TEST(nothing_is_lost) {
  strand::TreiberStack stack;
  strand::TreiberStack::Node a, b;
  a.value = 1;
  b.value = 2;
  heddle::threads([&] { stack.push(a); }, [&] { stack.push(b); });
  int sum = 0;
  for (const auto* node = stack.popAll(); node != nullptr; node = node->next) sum += node->value;
  heddle_assert(sum == 3);
}
