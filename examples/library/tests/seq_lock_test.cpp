//! rc20: verified
#include <heddle/test.h>

#include "../include/strand/seq_lock.h"

HEDDLE_TEST(no_torn_pair) {
  strand::SeqLock pair;
  heddle::threads([&] { pair.write(1, 1); },
                  [&] {
                    int first = 0, second = 0;
                    if (pair.tryRead(first, second)) heddle_assert(first == second);
                  });
}
