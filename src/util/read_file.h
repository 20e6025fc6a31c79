// The whole of a file.
#pragma once

#include <optional>
#include <string>

namespace heddle::util {

// Nothing if it cannot be read; errno says why.
std::optional<std::string> readFile(const std::string& path);

}  // namespace heddle::util
