#pragma once

#include <cstdint>

namespace heddle::util {

// Memory in use by a process, in bytes, without what it shares; 0 if that is not known.
std::uint64_t memoryOf(int process);

}  // namespace heddle::util
