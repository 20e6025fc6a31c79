// How library models say that the program has done something wrong.
//
// The kinds are those of ErrorKind in src/runtime/error.h, by number: models are part of the checked program and cannot
// include the runtime's headers. Each kind that a model uses has a test program in tests/native/library, which would
// show a number that has gone wrong.
#pragma once

#include "primitives.h"

namespace heddle::library {

enum class Failure : uint32_t {
  assertion = 0,
  abort = 1,
  unreachable = 3,
  invalidFree = 13,
  deadlock = 19,
  selfLock = 21,
  unlockNotHeld = 22,
  destroyInUse = 23,
  joinedTwice = 24,
  invalidJoin = 25,
  pureVirtual = 26,
  misuse = 30,
  unsupported = 31,
};

[[noreturn]] inline void fail(Failure kind, const char* message) {
  heddle_fail_hook(static_cast<uint32_t>(kind), message);
}

inline void warn(const char* message) { heddle_warn_hook(message); }

// For functions that have many results, of which a model gives one: `what` says which, "rand: one fixed sequence".
#define WARN_OF_ONE_RESULT(what) \
  ::heddle::library::warn(what "; no other was explored. To explore others, take values from heddle_choose(n)")

}  // namespace heddle::library
