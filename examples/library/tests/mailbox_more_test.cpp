//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/mailbox.h"

HEDDLE_TEST(one_reader_gets_it) {
  strand::Mailbox mailbox;
  int first = 0, second = 0;
  heddle::threads([&] { mailbox.put(1); }, [&] { mailbox.take(first); }, [&] { mailbox.take(second); });
  heddle_assert(first + second <= 1);
}
