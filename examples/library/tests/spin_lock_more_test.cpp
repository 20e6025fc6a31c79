//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/spin_lock.h"

HEDDLE_TEST(one_of_two_gets_it) {
  strand::SpinLock lock;
  bool first = false, second = false;
  heddle::threads([&] { first = lock.tryLock(); }, [&] { second = lock.tryLock(); });
  heddle_assert(first != second);
}

HEDDLE_TEST(three_threads) {
  strand::SpinLock lock;
  int count = 0;
  const auto increment = [&] {
    lock.lock();
    ++count;
    lock.unlock();
  };
  heddle::threads(increment, increment, increment);
  heddle_assert(count == 3);
}
