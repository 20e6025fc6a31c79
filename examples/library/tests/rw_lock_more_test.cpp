//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/rw_lock.h"

HEDDLE_TEST(readers_are_together) {
  strand::RwLock lock;
  const int value = 3;
  const auto read = [&] {
    if (!lock.tryRead()) return;
    heddle_assert(value == 3);
    lock.endRead();
  };
  heddle::threads(read, read);
  heddle_assert(lock.tryWrite());
}
