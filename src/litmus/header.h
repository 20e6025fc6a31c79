// The first lines of a litmus test: what it is for, its name, and lines that describe it.
#pragma once

#include <string>

#include "litmus/source.h"

namespace heddle::litmus {

struct Header {
  std::string architecture;  // "C", "AArch64", ...
  std::size_t offset = 0;    // of that word
  std::string name;
  std::size_t end = 0;  // where the initial state begins, or the end of the file
};

// Between the name and the initial state may stand comments, quoted strings, `Key=value` lines, and any other text.
Header readHeader(const SourceFile& file);

}  // namespace heddle::litmus
