//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/rw_lock.h"

HEDDLE_TEST(a_writer_is_alone) {
  strand::RwLock lock;
  int value = 0;
  heddle::threads(
      [&] {
        if (!lock.tryWrite()) return;
        value = 1;
        lock.endWrite();
      },
      [&] {
        if (!lock.tryRead()) return;
        heddle_assert(value == 0 || value == 1);
        lock.endRead();
      });
}
