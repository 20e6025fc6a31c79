// Initialisation of static local variables: the guard's functions of the C++ ABI.
//
//     byte 0      1 when the variable is initialised; compiled code reads it (acquire) before it calls anything here
//     bytes 4-7   a lock, held while the variable is being initialised
//
// A thread that has read byte 0 too early and finds the variable initialised when it has the lock is in the same
// situation as one that has read it later. That execution is explored, so this one ends here.

#include "failure.h"
#include "holdings.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::holdings;

namespace {

struct Guard {
  uint8_t initialised;
  uint32_t lock;
};
static_assert(sizeof(Guard) == 8);

void release(Guard* guard) {
  holdings.giveBack(holdings.find(&guard->lock));
  heddle_unlock(&guard->lock);
}

}  // namespace

extern "C" {

int __cxa_guard_acquire(Guard* guard) {
  if (holdings.find(&guard->lock)) {
    fail(Failure::selfLock, "the initialisation of a static local variable comes back to itself");
  }
  heddle_lock(&guard->lock);
  heddle_assume_hook(!__atomic_load_n(&guard->initialised, __ATOMIC_RELAXED));
  holdings.add(&guard->lock);
  return 1;
}

void __cxa_guard_release(Guard* guard) {
  __atomic_store_n(&guard->initialised, 1, __ATOMIC_RELEASE);
  release(guard);
}

void __cxa_guard_abort(Guard* guard) { release(guard); }

}  // extern "C"
