// pthread_once, which std::call_once and C11's call_once are made of.
//
// One word: 0 at first, 1 while the function runs, 2 when it is done. A call is a single compare-exchange: it wins, or
// sees the end of the winner's call, or waits (having seen that somebody is at it; the execution in which it sees the
// end is another one). If the function throws, the next call tries again.

#include <pthread.h>

#include "primitives.h"

namespace {

enum : int { kFirst = 0, kRunning = 1, kDone = 2 };

}  // namespace

extern "C" int pthread_once(pthread_once_t* once, void (*function)()) {
  int seen = kFirst;
  if (!__atomic_compare_exchange_n(once, &seen, int{kRunning}, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    heddle_wait(seen == kDone);
    return 0;
  }
  try {
    function();
  } catch (...) {
    __atomic_store_n(once, int{kFirst}, __ATOMIC_RELEASE);
    throw;
  }
  __atomic_store_n(once, int{kDone}, __ATOMIC_RELEASE);
  return 0;
}
