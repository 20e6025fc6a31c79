// `heddle test tests -- -Iinclude` runs these, and so does ctest.
//
//! rc20,tso: verified
//! rc20: error=data-race test=a_letter_arrives flags="-- -DMAILBOX_BUG"

#include <heddle/test.h>

#include "mailbox/mailbox.h"

#ifndef MAILBOX_FIRST_LETTER
#define MAILBOX_FIRST_LETTER 7
#endif

HEDDLE_TEST(a_letter_arrives) {
  mailbox::Mailbox box;
  heddle::threads([&] { heddle_assert(box.put(MAILBOX_FIRST_LETTER)); },
                  [&] {
                    int letter = 0;
                    if (box.take(letter)) heddle_assert(letter == MAILBOX_FIRST_LETTER);
                  });
}

HEDDLE_TEST(two_writers_one_letter) {
  mailbox::Mailbox box;
  bool first = false, second = false;
  heddle::threads([&] { first = box.put(1); }, [&] { second = box.put(2); });
  heddle_assert(first != second);
}
