// Objects that a function of the library has initialised, and none has destroyed: to initialise one again is an error.
//
// Such an object has a mark in it. The memory may be new, and then the mark is not looked at.
#pragma once

#include "failure.h"

namespace heddle::library {

inline constexpr uint32_t kLive = 0x6c697665;

inline void checkNotLive(const uint32_t& mark, const char* message) {
  if (heddle_is_initialised(&mark, sizeof mark) && mark == kLive) fail(Failure::misuse, message);
}

}  // namespace heddle::library
