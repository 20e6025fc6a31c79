// The whole of a file.
#pragma once

#include <optional>
#include <string>

namespace heddle::util {

// Nothing if it cannot be read; errno says why. Of a file that is larger than `most` bytes, a few more than these.
std::optional<std::string> readFile(const std::string& path, std::size_t most = std::string::npos);

}  // namespace heddle::util
