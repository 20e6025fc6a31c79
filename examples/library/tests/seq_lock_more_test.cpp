//! sc,rc20: verified
#include <heddle/test.h>

#include "../include/strand/seq_lock.h"

HEDDLE_TEST(two_writes) {
  strand::SeqLock pair;
  heddle::threads(
      [&] {
        pair.write(1, 1);
        pair.write(2, 2);
      },
      [&] {
        int first = 0, second = 0;
        if (pair.tryRead(first, second)) heddle_assert(first == second);
      });
}
