// The memory model of C and C++ programs if none is named.
#pragma once

namespace heddle::util {

inline constexpr const char* kDefaultModel = "rc20";

}  // namespace heddle::util
