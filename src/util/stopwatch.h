// How long something has taken.
#pragma once

#include <chrono>

namespace heddle::util {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace heddle::util
