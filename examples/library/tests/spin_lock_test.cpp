//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/spin_lock.h"

HEDDLE_TEST(both_increments_count) {
  strand::SpinLock lock;
  int count = 0;
  const auto increment = [&] {
    lock.lock();
    ++count;
    lock.unlock();
  };
  heddle::threads(increment, increment);
  heddle_assert(count == 2);
}
