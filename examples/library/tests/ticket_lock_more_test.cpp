//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/ticket_lock.h"

HEDDLE_TEST(again_and_again) {
  strand::TicketLock lock;
  int count = 0;
  const auto twice = [&] {
    for (int i = 0; i < 2; ++i) {
      lock.lock();
      ++count;
      lock.unlock();
    }
  };
  heddle::threads(twice, twice);
  heddle_assert(count == 4);
}
