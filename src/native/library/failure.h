// How library models say that the program has done something wrong.
// The kinds are those of ErrorKind in src/runtime/error.h.
#pragma once

#include "primitives.h"

namespace heddle::library {

#define HEDDLE_ENUMERATOR(kind, name, title) kind,
enum class Failure : uint32_t { HEDDLE_ERROR_KINDS(HEDDLE_ENUMERATOR) };
#undef HEDDLE_ENUMERATOR

[[noreturn]] inline void fail(Failure kind, const char* message) { heddle_fail_hook(static_cast<uint32_t>(kind), message); }

inline void warn(const char* message) { heddle_warn_hook(message); }

// For functions that have many results, of which a model gives one: `what` says which, "rand: one fixed sequence".
#define WARN_OF_ONE_RESULT(what) \
  ::heddle::library::warn(what "; no other was explored. To explore others, take values from heddle_choose(n)")

}  // namespace heddle::library
