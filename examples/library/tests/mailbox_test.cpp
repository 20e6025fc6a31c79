//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/mailbox.h"

HEDDLE_TEST(a_letter_arrives) {
  strand::Mailbox mailbox;
  heddle::threads([&] { heddle_assert(mailbox.put(7)); },
                  [&] {
                    int letter = 0;
                    if (mailbox.take(letter)) heddle_assert(letter == 7);
                  });
}
