// A short text that tells a long one from others: 128 bits of xxHash, in hexadecimal.
#pragma once

#include <string>
#include <string_view>

namespace heddle::util {

std::string fingerprint(std::string_view text);

}  // namespace heddle::util
