// The standard headers that a source file begins with, for precompiled.h.
//
// These are the #include <...> lines before anything else: blank lines, comments and #pragma once do not count. Headers of
// the program's own, #include "...", are looked into, if they are beside the file that includes them, and may have an
// include guard. Whether defining the guards makes a difference to the headers that follow is not known here.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::native {

struct LeadingIncludes {
  std::vector<std::string> headers;  // names in #include <...>
  std::vector<std::string> guards;   // macros that are defined before or between them
};

// The contents of a file, if it can be read.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

LeadingIncludes leadingIncludes(std::string_view source, const std::string& path, const ReadFile& read);

}  // namespace heddle::native
